import { Effect, Predicate, type Schema, SchemaAST } from "effect"
import { addNotice, nameList, orMeant } from "../responses/clickNotice.ts"

type Fields = ReadonlyMap<string, string>

const none: Fields = new Map()

/** The fields that the schema does not know, each with its text for a notice. */
const unknownIn = (ast: SchemaAST.AST, value: unknown): Fields => {
  if (SchemaAST.isArrays(ast) && Array.isArray(value)) {
    const [item] = ast.rest
    return item === undefined ? none : new Map(value.flatMap((each) => [...unknownIn(item, each)]))
  }
  if (!SchemaAST.isObjects(ast) || ast.indexSignatures.length > 0) return none
  if (!Predicate.isObject(value) || Array.isArray(value)) return none
  const types = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  const describe = orMeant([...types.keys()])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => {
      const type = types.get(name)
      return type === undefined ? [[name, describe(name)]] : [...unknownIn(type, inner)]
    })
  )
}

/** Adds a notice of the fields of a JSON body that its schema does not know. They have no effect. */
export const noticeIgnoredFields = Effect.fnUntraced(function* (schema: Schema.Top, body: unknown) {
  const unknown = unknownIn(schema.ast, body)
  if (unknown.size === 0) return
  const names = nameList([...unknown.keys()], (name) => unknown.get(name) ?? name)
  yield* addNotice(`Ignored ${unknown.size === 1 ? "field" : "fields"}: ${names}`)
})
