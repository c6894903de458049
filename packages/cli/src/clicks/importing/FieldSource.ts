import { Result } from "effect"
import type { Columns } from "./InputRow.ts"

/** Where the value of a field comes from. */
export interface FieldSource {
  /** The columns that are read. */
  readonly columns: ReadonlyArray<string>
  /** The value in a row; null if the row has none. */
  readonly read: (columns: Columns) => unknown
}

const valueOf = (columns: Columns, name: string): unknown =>
  Object.hasOwn(columns, name) && columns[name] !== "" ? (columns[name] ?? null) : null

export const columnSource = (name: string): FieldSource => ({
  columns: [name],
  read: (columns) => valueOf(columns, name)
})

export const constantSource = (value: string): FieldSource => ({ columns: [], read: () => value })

/** A piece of text, or the value of a column padded with zeros to `width` characters. */
type TemplatePart = string | { readonly column: string; readonly width: number }

const fillIn = (parts: ReadonlyArray<TemplatePart>, columns: Columns): string | null => {
  let isEmpty = true
  const texts = parts.map((part) => {
    if (typeof part === "string") return part
    const value = valueOf(columns, part.column)
    if (value !== null) isEmpty = false
    return value === null ? "" : String(value).padStart(part.width, "0")
  })
  return isEmpty ? null : texts.join("")
}

const partPattern = /\{\{|\}\}|\{([^{}]+?)(?::0(\d{1,2}))?\}|[{}]|[^{}]+/g

/**
 * Parses the part after `field=` of `--map`: a column name, or a template with columns in braces. `{month:02}` pads with zeros to
 * two characters; `{{` and `}}` are literal braces. A template is empty if all of its columns are.
 */
export const parseFieldSource = (text: string): Result.Result<FieldSource, string> => {
  if (!/[{}]/.test(text)) return Result.succeed(columnSource(text))
  const parts: Array<TemplatePart> = []
  for (const [found, column, width = "0"] of text.matchAll(partPattern)) {
    if (column !== undefined) parts.push({ column, width: Number(width) })
    else if (found === "{" || found === "}") return Result.fail(`has an unmatched brace: ${text}`)
    else parts.push(found === "{{" ? "{" : found === "}}" ? "}" : found)
  }
  return Result.succeed({
    columns: parts.flatMap((part) => (typeof part === "string" ? [] : [part.column])),
    read: (columns) => fillIn(parts, columns)
  })
}
