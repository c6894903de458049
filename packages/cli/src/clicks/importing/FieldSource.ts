import { Result } from "effect"

/** Where the value of a field comes from. */
export type FieldSource =
  | { readonly _tag: "Column"; readonly name: string }
  | { readonly _tag: "Template"; readonly parts: ReadonlyArray<TemplatePart> }
  | { readonly _tag: "Constant"; readonly value: string }

/** A piece of text, or the value of a column padded with zeros to `width` characters. */
export type TemplatePart = string | { readonly column: string; readonly width: number }

type Columns = Readonly<Record<string, unknown>>

const part = /\{\{|\}\}|\{([^{}]+?)(?::0(\d{1,2}))?\}|[{}]|[^{}]+/g

/**
 * Reads what stands behind `field=` of `--map`: a column's name, or a text with columns in braces. `{month:02}` pads with
 * zeros to two characters; `{{` and `}}` stand for braces.
 */
export const parseFieldSource = (text: string): Result.Result<FieldSource, string> => {
  if (!/[{}]/.test(text)) return Result.succeed({ _tag: "Column", name: text })
  const parts: Array<TemplatePart> = []
  for (const [found, column, width = "0"] of text.matchAll(part)) {
    if (column !== undefined) parts.push({ column, width: Number(width) })
    else if (found === "{" || found === "}") return Result.fail(`has an unmatched brace: ${text}`)
    else parts.push(found === "{{" ? "{" : found === "}}" ? "}" : found)
  }
  return Result.succeed({ _tag: "Template", parts })
}

/** The columns that a source reads. */
export const columnsOf = (source: FieldSource): ReadonlyArray<string> => {
  switch (source._tag) {
    case "Column":
      return [source.name]
    case "Constant":
      return []
    case "Template":
      return source.parts.flatMap((each) => (typeof each === "string" ? [] : [each.column]))
  }
}

const valueOf = (columns: Columns, name: string): unknown =>
  Object.hasOwn(columns, name) && columns[name] !== "" ? (columns[name] ?? null) : null

const fillIn = (parts: ReadonlyArray<TemplatePart>, columns: Columns): string | null => {
  let isEmpty = true
  const texts = parts.map((each) => {
    if (typeof each === "string") return each
    const value = valueOf(columns, each.column)
    if (value !== null) isEmpty = false
    return value === null ? "" : String(value).padStart(each.width, "0")
  })
  return isEmpty ? null : texts.join("")
}

/** The value of a field in a row; null when the row has none, a template when all of its columns are empty. */
export const readField = (source: FieldSource, columns: Columns): unknown => {
  switch (source._tag) {
    case "Column":
      return valueOf(columns, source.name)
    case "Constant":
      return source.value
    case "Template":
      return fillIn(source.parts, columns)
  }
}
