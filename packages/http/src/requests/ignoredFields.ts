import { Effect, Predicate, type Schema, SchemaAST } from "effect"
import { addNotice, nameList, orMeant } from "../responses/clickNotice.ts"

type Fields = ReadonlyMap<string, string>

const none: Fields = new Map()

/** The fields that the schema does not know, each with its description for a notice. */
const unknownIn = (ast: SchemaAST.AST, value: unknown): Fields => {
  if (SchemaAST.isArrays(ast) && Array.isArray(value)) {
    const [item] = ast.rest
    return item === undefined ? none : new Map(value.flatMap((each) => [...unknownIn(item, each)]))
  }
  if (!SchemaAST.isObjects(ast) || ast.indexSignatures.length > 0 || !Predicate.isObject(value)) return none
  const types = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  const describe = orMeant([...types.keys()])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => {
      const type = types.get(name)
      return type === undefined ? [[name, describe(name)]] : [...unknownIn(type, inner)]
    })
  )
}

/** Adds a notice that lists the fields or parameters that the schema does not know. They are ignored. */
export const noticeUnknown = (
  what: "Ignored field" | "Unknown parameter",
  schema: Schema.Top | undefined,
  value: unknown
) => {
  const unknown = schema === undefined ? none : unknownIn(schema.ast, value)
  if (unknown.size === 0) return Effect.void
  const names = nameList([...unknown.keys()], (name) => unknown.get(name) ?? name)
  return addNotice(`${what}${unknown.size === 1 ? "" : "s"}: ${names}`)
}
