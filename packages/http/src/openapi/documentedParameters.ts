type Json = Record<string, unknown>

/**
 * Gives parameters the schema that their text has to fit. The declaration takes every parameter as text, so that core judges
 * them and its sentences are the errors. Null leaves one out of the description.
 */
export const documented =
  (schemas: Readonly<Record<string, Json | null>>) =>
  (operation: Json): Json => ({
    ...operation,
    parameters: (operation["parameters"] as ReadonlyArray<Json>).flatMap((parameter) => {
      const schema = schemas[String(parameter["name"])]
      if (schema === null) return []
      const { description } = { ...(parameter["schema"] as Json), ...parameter }
      return schema === undefined ? parameter : { ...parameter, description, schema }
    })
  })

/** The number of rows to answer with. */
export const limit = (maximum: number, byDefault: number): Json => ({
  type: "integer",
  minimum: 1,
  maximum,
  default: byDefault
})

/** The number of rows to skip. */
export const offset: Json = { type: "integer", minimum: 0, default: 0 }
