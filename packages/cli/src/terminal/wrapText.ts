/** The text in lines of at most 80 columns, each indented by so many; the first begins with `head`. */
export const wrapText = (text: string, indent: number, head = ""): string => {
  const lines: Array<string> = []
  let line = head.padEnd(indent)
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + word.length > 80) {
      lines.push(line.trimEnd())
      line = " ".repeat(indent)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()].join("\n")
}
