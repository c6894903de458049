import { parseJson } from "@clicks/core/clicks/parseJson"
import { type KnownFields, knownFields } from "@clicks/core/clicks/recording/knownFields"
import { utf8 } from "../../requests/RequestBody.ts"

/** Parses a JSON text into the fields of a click; undefined if it is not JSON. */
export const fromText = (text: string): KnownFields | undefined => {
  try {
    return knownFields(parseJson(text))
  } catch {
    return undefined
  }
}

/** Parses a body into the fields of a click; undefined if it is not JSON in UTF-8. */
export const fromBytes = (body: Uint8Array): KnownFields | undefined => {
  const text = utf8(body)
  return text === undefined ? undefined : fromText(text)
}
