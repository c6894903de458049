import { Schema } from "effect"

const characters = ["{", "}", "[", "]", ",", ":", '"', "\\", " ", "\n", "0", "-", "e", "\0", "é", ""]

/** Changes that make a text malformed, mostly: a place, as a share of the text, and what is put there. */
export const mutations = Schema.Array(
  Schema.Struct({
    at: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    character: Schema.Literals(characters)
  })
)

/** The text with one character replaced at each place. */
export const mutated = (text: string, changes: typeof mutations.Type): string => {
  const units = Array.from(text)
  for (const { at, character } of changes) units[Math.floor(at * units.length)] = character
  return units.join("")
}
