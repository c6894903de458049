import { parseJson } from "@clicks/core/clicks/parseJson"
import { type KnownFields, knownFields } from "@clicks/core/clicks/recording/knownFields"
import { utf8 } from "../../requests/RequestBody.ts"

/** The fields of a click in a JSON text; undefined when it is not JSON. */
export const fromText = (text: string): KnownFields | undefined => {
  try {
    return knownFields(parseJson(text))
  } catch {
    return undefined
  }
}

/** The fields of a click in a JSON body; undefined when it is not JSON in UTF-8. */
export const fromBytes = (body: Uint8Array): KnownFields | undefined => {
  const text = utf8(body)
  return text === undefined ? undefined : fromText(text)
}
