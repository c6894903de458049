import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"

interface Header {
  readonly required?: boolean
  readonly schema: object
}
interface Response {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}
type Operation = { readonly responses: Readonly<Record<string, Response>> }

/** The committed `openapi.json`. */
export const openApi: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly examples?: ReadonlyArray<unknown> }>>
  }
} = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"))

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
// Products and health checks may have additional fields; other responses must have only documented ones.
const open = ["Product", "ProductInput", "additionalProperties"]
const closed = JSON.parse(JSON.stringify(openApi), (key, value) =>
  value?.type === "object" && "properties" in value && !open.includes(key)
    ? { additionalProperties: false, ...value }
    : value
)
ajv.addSchema({ ...closed, $id: "https://clicks.test/openapi.json" })

const escape = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1")

/** Fails unless the value matches the schema at this path in `openapi.json`. */
export const assertFits = (value: unknown, ...place: ReadonlyArray<string>) => {
  const $ref = `https://clicks.test/openapi.json#/${place.map(escape).join("/")}`
  assert.isTrue(ajv.validate({ $ref }, value), `${$ref}: ${ajv.errorsText()}\n${JSON.stringify(value)}`)
}

const mediaType = (contentType: string | null) => contentType?.split(";")[0] ?? ""

/** Statuses that any path may return; `openapi.json` lists them once, in its introduction. */
const general = ["404", "405"]

const templates = Object.keys(openApi.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
}))

/** The path as `openapi.json` writes it: `/api/tasks/{id}` for a task. */
const templateOf = (path: string): string =>
  path in openApi.paths ? path : (templates.find(({ pattern }) => pattern.test(path))?.template ?? path)

/** Fails unless the response is documented: its status, its headers and its body. */
export const assertDescribed = (
  method: string,
  asked: string,
  answer: { readonly status: number; readonly headers: Headers; readonly text: string }
) => {
  const path = templateOf(asked)
  const operation = openApi.paths[path]?.[method.toLowerCase()]
  const status = String(answer.status)
  if (operation === undefined || general.includes(status)) return
  const response = operation.responses[status]
  if (response === undefined)
    return assert.fail(`openapi.json does not foresee ${method} ${path} → ${status}`)
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const value = answer.headers.get(name)
    if (value === null) assert.isNotTrue(header.required, `${name} is missing from ${method} ${path}`)
    else
      assertFits(value, "paths", path, method.toLowerCase(), "responses", status, "headers", name, "schema")
  }
  const type = mediaType(answer.headers.get("content-type"))
  const types = Object.keys(response.content ?? {})
  if (types.length === 0)
    return assert.strictEqual(answer.text, "", `${method} ${path} → ${status} has a body`)
  assert.include(types.map(mediaType), type, `${method} ${path} → ${status} is of another type`)
  if (type !== "application/json" || answer.text === "") return
  const body: unknown = JSON.parse(answer.text)
  assertFits(body, "paths", path, method.toLowerCase(), "responses", status, "content", type, "schema")
}
