import { styleText } from "node:util"

// Node decides by FORCE_COLOR, NO_COLOR and the terminal on standard output.
const bold = (text: string) => styleText("bold", text)
const bars = /[▁▂▃▄▅▆▇█▏▎▍▌▋▊▉]+(?: *[▁▂▃▄▅▆▇█]+)*$/u

/** A table in colours, where they are wanted: bold titles, growth and decline, bars. */
export const painted = (table: string): string => {
  const [titles = "", ...rows] = table.split("\n")
  const lines = rows.map((row) =>
    row
      .replace(bars, (text) => styleText("cyan", text))
      .replaceAll(/(?<= )(?:\+[\d,.]+%|new)(?= |$)/g, (text) => styleText("green", text))
      .replaceAll(/(?<= )−[\d,.]+%(?= |$)/g, (text) => styleText("red", text))
  )
  return [bold(titles), ...lines].join("\n")
}
