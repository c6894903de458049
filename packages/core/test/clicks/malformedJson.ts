import { Schema } from "effect"

const characters = ["{", "}", "[", "]", ",", ":", '"', "\\", " ", "\n", "0", "-", "e", "\0", "é", ""]

/** Changes that usually make a text malformed: a position, as a fraction of the text, and the replacement. */
export const mutations = Schema.Array(
  Schema.Struct({
    at: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    character: Schema.Literals(characters)
  })
)

/** The text with one character replaced at each position. */
export const mutated = (text: string, changes: typeof mutations.Type): string => {
  const units = Array.from(text)
  for (const { at, character } of changes) units[Math.floor(at * units.length)] = character
  return units.join("")
}
