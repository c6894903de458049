import { fieldNames } from "@clicks/core/clicks/ClickEvent"
import { actions } from "@clicks/core/clicks/ClickFilter"
import { DeviceType } from "@clicks/core/clicks/DeviceType"
import { parseInstant } from "@clicks/core/values/Instant"
import { Result } from "effect"
import { CommandFailed, UsageError } from "../../CommandError.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import { columnSource, constantSource, type FieldSource, parseFieldSource } from "./FieldSource.ts"
import type { Columns } from "./InputRow.ts"

export type ImportableField = Exclude<(typeof fieldNames)[number], "event_type">

const importableFields = fieldNames.filter((name) => name !== "event_type")
const requiredFields: ReadonlyArray<ImportableField> = ["product_id", "action", "source"]

/** The values of a row by field, in alphabetical order. A field without a value is absent. */
export type MappedRow = Readonly<Partial<Record<ImportableField, unknown>>>

/** Which column fills which field. The fields are in alphabetical order, on which the ids of rows depend. */
export interface RowMapping {
  readonly sources: ReadonlyMap<ImportableField, FieldSource>
  /** The fields of `--map`. */
  readonly mapped: ReadonlySet<ImportableField>
}

const split = (option: string, text: string): Result.Result<[ImportableField, string], string> => {
  const [name = "", ...rest] = text.split("=")
  const field = importableFields.find((importable) => importable === name)
  if (rest.length === 0)
    return Result.fail(`${option} ${text}: write it as field=${option === "--map" ? "column" : "value"}`)
  return field === undefined
    ? Result.fail(`${option} ${text}: unknown field ${name}. Fields: ${importableFields.join(", ")}`)
    : Result.succeed([field, rest.join("=")])
}

const isInstant = (value: string): boolean => parseInstant(value.trim()) !== undefined
const instants = [isInstant, "an ISO 8601 date-time, such as 2026-11-28T09:30:00Z"] as const
const oneOf = (values: ReadonlyArray<string>) =>
  [(value: string) => values.includes(value), `one of: ${values.join(", ")}`] as const

// A constant that breaks a rule would reject every row.
const constants: Partial<Record<ImportableField, readonly [(value: string) => boolean, string]>> = {
  action: oneOf(actions),
  device_type: oneOf(DeviceType.literals),
  occurred_at: instants,
  received_at: instants,
  client_occurred_at: instants
}

const parseConstant = (field: ImportableField, value: string): Result.Result<FieldSource, string> => {
  const [isValid, expected] = constants[field] ?? []
  return value === "" || isValid === undefined || isValid(value)
    ? Result.succeed(constantSource(value))
    : Result.fail(`--set ${field} must be ${expected}; it is ${visibleText(value.slice(0, 60))}`)
}

const parseColumn = (field: ImportableField, text: string): Result.Result<FieldSource, string> =>
  Result.mapError(parseFieldSource(text), (reason) => `--map ${field} ${reason}`)

/**
 * Parses the values of `--map` and `--set`. Other fields are filled from columns of the same name; a field with an empty value stays
 * empty. Fails with the problem of the first invalid value.
 */
export const parseMapping = (
  maps: ReadonlyArray<string>,
  sets: ReadonlyArray<string>
): Result.Result<RowMapping, string> =>
  Result.gen(function* () {
    const sources = new Map(importableFields.toSorted().map((name) => [name, columnSource(name)]))
    const given = new Set<ImportableField>()
    const mapped = new Set<ImportableField>()
    for (const [option, texts, parse] of [
      ["--map", maps, parseColumn],
      ["--set", sets, parseConstant]
    ] as const)
      for (const text of texts) {
        const [field, value] = yield* split(option, text)
        const source = yield* parse(field, value)
        if (given.has(field)) return yield* Result.fail(`${option}: ${field} is set twice`)
        given.add(field)
        if (value === "") sources.delete(field)
        else sources.set(field, source)
        if (value !== "" && option === "--map") mapped.add(field)
      }
    return { sources, mapped }
  })

/** Whether the mapping reads a column of this name. */
export const readsColumn = ({ sources }: RowMapping): ((column: string) => boolean) => {
  const names = new Set(Array.from(sources.values()).flatMap(({ columns }) => columns))
  return (column) => names.has(column)
}

/** Checks that the header has all columns of `--map` and of the required fields, and that no column that is read occurs twice. */
export const checkHeader = (
  { mapped, sources }: RowMapping,
  header: ReadonlyArray<string>,
  file: string
): Result.Result<void, UsageError | CommandFailed> => {
  const refuse = (reason: string) => Result.fail(new CommandFailed({ message: `${file}: ${reason}` }))
  const inFile = `Columns in the file: ${header.join(", ")}`
  for (const [field, { columns }] of sources) {
    for (const column of columns) {
      const count = header.filter((name) => name === column).length
      if (count === 0 && mapped.has(field))
        return Result.fail(
          new UsageError({ message: `${file}: --map ${field}: unknown column ${column}. ${inFile}` })
        )
      if (count > 1) return refuse(`the header has ${count} columns named ${column}`)
    }
  }
  const missing = requiredFields.filter(
    (field) => sources.get(field)?.columns.every((column) => header.includes(column)) !== true
  )
  if (missing.length === 0) return Result.void
  const remedy = `Use --map ${missing[0]}=<column> or --set ${missing[0]}=<value>`
  return refuse(
    `missing ${missing.length === 1 ? "column" : "columns"} ${missing.join(", ")}. ${remedy}. ${inFile}`
  )
}

/** The values of a row by field. */
export const mapRow = ({ sources }: RowMapping, columns: Columns): MappedRow => {
  const row: Partial<Record<ImportableField, unknown>> = {}
  for (const [field, source] of sources) {
    const value = source.read(columns)
    if (value !== null) row[field] = value
  }
  return row
}
