import { maxNesting } from "@clicks/core/clicks/parseJson"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null

// Header names are case-insensitive; readers expect them as the responses spell them.
const written = (name: string): string => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

// The bounds of exactly representable integers are no constraint on the value.
const isNoBound = (value: unknown): boolean =>
  typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER

const challenge = {
  "WWW-Authenticate": { required: true, schema: { type: "string", examples: ["Bearer"] } }
}

const notice = {
  "Click-Notice": {
    description:
      "Warns of unknown query parameters and body fields, which have no effect, of an unknown action or device type, and of an empty time range",
    schema: { type: "string", examples: ["Unknown parameter: frm (did you mean from?)"] }
  }
}

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly in: string }>
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, { readonly headers?: Json }>>
}

const isOperation = (key: string, value: unknown): value is Operation =>
  ["get", "post", "put"].includes(key) && isJson(value) && "responses" in value

const withNotice = (operation: Operation): Operation => {
  const { parameters, requestBody } = operation
  if (requestBody === undefined && !parameters.some((parameter) => parameter.in === "query")) return operation
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    status < "203" ? { ...response, headers: { ...notice, ...response.headers } } : response
  ])
  return { ...operation, responses: Object.fromEntries(responses) }
}

// Fields for which the generator has no annotation.
const info = {
  contact: { name: "The operator of this service" },
  license: { name: "MIT", identifier: "MIT" }
}

const reviver = (key: string, value: unknown): unknown => {
  if ((key === "minimum" || key === "maximum") && isNoBound(value)) return undefined
  // Unknown fields of a body are ignored with a notice, and responses may get more fields.
  if (key === "additionalProperties" && value === false) return undefined
  // Registered in lower case (RFC 7617, RFC 6750); some documentation pages do not recognise "Bearer".
  if (key === "scheme" && typeof value === "string") return value.toLowerCase()
  if (!isJson(value)) return value
  if (key === "info") return { ...value, ...info }
  if (isOperation(key, value)) return withNotice(value)
  if (key === "401") return { ...value, headers: challenge }
  if (key === "headers") {
    return Object.fromEntries(Object.entries(value).map(([name, header]) => [written(name), header]))
  }
  if (key === "parameters" && Array.isArray(value)) return value.filter(({ schema }) => schema !== false)
  const { schema } = value
  if ("in" in value && isJson(schema) && "description" in schema) {
    // `contentSchema` is the schema given to `parameter`.
    const { contentSchema, description, ...rest } = schema
    return { ...value, description, schema: contentSchema ?? rest }
  }
  return value
}

/** Removes artefacts of the generator and adds what it has no annotations for. */
export const tidy = (generated: Json): Json =>
  JSON.parse(
    JSON.stringify(generated).replaceAll(/"((?:#\/components\/schemas\/)?\w+)Encoded"/g, '"$1"'),
    reviver
  )

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

const anonymousToo = [{}, { bearer: [] }, { apiKey: [] }]

const bodyRules = `Content-Encoding: gzip is accepted. Objects and arrays nested deeper than ${maxNesting} levels are read as empty objects.`

/** The security and the body formats of recording one click, which its declaration cannot express. */
export const recordingOne = {
  security: anonymousToo,
  requestBody: {
    required: true,
    description: `At most 64 KiB, compressed and decompressed. ${bodyRules}`,
    content: {
      "application/json": { schema: reference("ClickInput") },
      "text/plain": {
        schema: { type: "string", description: "The same JSON, as sent by navigator.sendBeacon" }
      }
    }
  }
}

const gif = { "image/gif": { schema: { type: "string", description: "43 bytes" } } }

/** The same for a click sent by showing an image. */
export const recordingImage = {
  override: { security: anonymousToo },
  transform: (operation: Json): Json => {
    const responses = operation["responses"] as { readonly 200: Json }
    return {
      ...operation,
      responses: {
        ...responses,
        200: {
          ...responses[200],
          description: "Click accepted. Click-Receipt shows whether it was stored",
          content: gif
        },
        400: {
          description:
            "product_id, action or source is invalid (the first of them, in this order), or Idempotency-Key and key differ",
          headers: {
            "Click-Notice": {
              required: true,
              description: "Error message",
              schema: { type: "string", examples: ["product_id is required and must be a non-empty string"] }
            }
          },
          content: gif
        }
      }
    }
  }
}

const ndjson = { type: "string", description: "One JSON object per line" }

const manyClicks = { type: "array", maxItems: 1000, items: reference("ClickInput") }

const envelope = {
  type: "object",
  required: ["clicks"],
  properties: {
    sent_at: {
      type: "string",
      format: "date-time",
      description: "When the request is sent, by the sender's clock"
    },
    clicks: manyClicks
  }
}

/** The same for many clicks. */
export const recordingMany = {
  security: anonymousToo,
  requestBody: {
    required: true,
    description: `At most 1,000 clicks of at most 64 KiB each, and 1 MiB, compressed and decompressed. ${bodyRules}`,
    content: {
      "application/json": { schema: { oneOf: [manyClicks, envelope] } },
      "application/x-ndjson": { schema: ndjson },
      "text/plain": { schema: { type: "string", description: "Any of these formats" } }
    }
  }
}
