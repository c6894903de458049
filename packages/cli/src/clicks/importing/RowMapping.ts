import { actions, fieldNames } from "@clicks/core/clicks/ClickEvent"
import { DeviceType } from "@clicks/core/clicks/DeviceType"
import { parseInstant } from "@clicks/core/values/Instant"
import { Result } from "effect"
import { visibleText } from "../../terminal/visibleText.ts"
import { columnsOf, type FieldSource, parseFieldSource, readField } from "./FieldSource.ts"

/** The fields that an import can fill: all of a click's, but the constant `event_type`. */
export const importableFields = fieldNames.filter((name) => name !== "event_type")
export type ImportableField = Exclude<(typeof fieldNames)[number], "event_type">

/** A row under the names of the fields, in alphabetical order. A field that the row does not have is absent. */
export type MappedRow = Readonly<Partial<Record<ImportableField, unknown>>>

/**
 * Which column fills which field. A field that nothing is said about is filled by the column of its own name. Fields are
 * in alphabetical order, and so in every row: ids of rows follow from it.
 */
export interface RowMapping {
  readonly sources: ReadonlyMap<ImportableField, FieldSource>
  /** The fields that `--map` fills. */
  readonly mapped: ReadonlySet<ImportableField>
}

const requiredFields: ReadonlyArray<ImportableField> = ["product_id", "action", "source"]

const isImportable = (name: string): name is ImportableField =>
  importableFields.some((field) => field === name)

const split = (option: string, text: string): Result.Result<[ImportableField, string], string> => {
  const at = text.indexOf("=")
  const field = at === -1 ? text : text.slice(0, at)
  if (at === -1)
    return Result.fail(`${option} ${text}: write it as field=${option === "--map" ? "column" : "value"}`)
  return isImportable(field)
    ? Result.succeed([field, text.slice(at + 1)])
    : Result.fail(`${option} ${text}: unknown field ${field}. Fields: ${importableFields.join(", ")}`)
}

const isInstant = (value: string): boolean => parseInstant(value.trim()) !== undefined
const anInstant = "an ISO 8601 date-time, such as 2026-11-28T09:30:00Z"
const oneOf = (values: ReadonlyArray<string>) =>
  [(value: string) => values.includes(value), `one of: ${values.join(", ")}`] as const

// A constant that breaks a rule would reject every row.
const constants: Partial<Record<ImportableField, readonly [(value: string) => boolean, string]>> = {
  action: oneOf(actions),
  device_type: oneOf(DeviceType.literals),
  occurred_at: [isInstant, anInstant],
  received_at: [isInstant, anInstant]
}

const constant = (field: ImportableField, value: string): Result.Result<FieldSource | undefined, string> => {
  if (value === "") return Result.succeed(undefined)
  const [isTaken, what] = constants[field] ?? []
  return isTaken === undefined || isTaken(value)
    ? Result.succeed({ _tag: "Constant", value })
    : Result.fail(`--set ${field} must be ${what}; it is ${visibleText(value.slice(0, 60))}`)
}

/**
 * Reads the values of `--map` and `--set`. `--map field=` leaves the field empty, whatever columns there are.
 * Fails with a sentence about the first that cannot be understood.
 */
export const parseMapping = (
  maps: ReadonlyArray<string>,
  sets: ReadonlyArray<string>
): Result.Result<RowMapping, string> =>
  Result.gen(function* () {
    const sources = new Map<ImportableField, FieldSource>(
      importableFields.toSorted().map((name) => [name as ImportableField, { _tag: "Column", name }])
    )
    const given = new Set<ImportableField>()
    const put = (option: string, field: ImportableField, source: FieldSource | undefined) => {
      if (given.has(field)) return Result.fail(`${option}: ${field} is set twice`)
      given.add(field)
      if (source === undefined) sources.delete(field)
      else sources.set(field, source)
      return Result.void
    }
    for (const text of maps) {
      const [field, column] = yield* split("--map", text)
      const source = yield* Result.mapError(parseFieldSource(column), (reason) => `--map ${field} ${reason}`)
      yield* put("--map", field, column === "" ? undefined : source)
    }
    const mapped = new Set(Array.from(given).filter((field) => sources.has(field)))
    for (const text of sets) {
      const [field, value] = yield* split("--set", text)
      yield* put("--set", field, yield* constant(field, value))
    }
    return { sources, mapped }
  })

/** Whether the mapping reads a column of this name. */
export const readsColumn = (mapping: RowMapping): ((column: string) => boolean) => {
  const names = new Set(Array.from(mapping.sources.values()).flatMap(columnsOf))
  return (column) => names.has(column)
}

/** What of a mapping does not fit a header. `isMapping` tells whether `--map` is at fault, or the file. */
export interface HeaderProblem {
  readonly message: string
  readonly isMapping: boolean
}

/** Whether every column that `--map` names, and one for each required field, stands in the header exactly once. */
export const checkHeader = (
  mapping: RowMapping,
  header: ReadonlyArray<string>
): HeaderProblem | undefined => {
  const columns = `Columns in the file: ${header.join(", ")}`
  for (const [field, source] of mapping.sources) {
    for (const column of columnsOf(source)) {
      const count = header.filter((name) => name === column).length
      if (count === 0 && mapping.mapped.has(field)) {
        return { message: `--map ${field}: unknown column ${column}. ${columns}`, isMapping: true }
      }
      if (count > 1) return { message: `the header has ${count} columns named ${column}`, isMapping: false }
    }
  }
  const missing = requiredFields.filter((field) => {
    const source = mapping.sources.get(field)
    return source === undefined || !columnsOf(source).every((column) => header.includes(column))
  })
  if (missing.length === 0) return undefined
  const remedy = `Use --map ${missing[0]}=<column> or --set ${missing[0]}=<value>`
  return {
    message: `missing ${missing.length === 1 ? "column" : "columns"} ${missing.join(", ")}. ${remedy}. ${columns}`,
    isMapping: false
  }
}

/** The row under the names of the fields. */
export const mapRow = (mapping: RowMapping, columns: Readonly<Record<string, unknown>>): MappedRow => {
  const row: Partial<Record<ImportableField, unknown>> = {}
  for (const [field, source] of mapping.sources) {
    const value = readField(source, columns)
    if (value !== null) row[field] = value
  }
  return row
}
