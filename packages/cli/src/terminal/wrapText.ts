/** The text in lines of at most `width` columns, indented by `indent`; the first line begins with `head`. */
export const wrapText = (text: string, indent: number, head = "", width = 80): string => {
  const lines: Array<string> = []
  let line = head.padEnd(indent)
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + word.length > width) {
      lines.push(line.trimEnd())
      line = " ".repeat(indent)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()].join("\n")
}
