import { productGroupings } from "@clicks/core/stores/ProductAggregate"
import { defaultLimit, maxLimit, productSorts, sortOrders } from "@clicks/core/stores/ProductQuery"
import { limit, offset } from "../openapi/documentedParameters.ts"

type Json = Record<string, unknown>

const anyOf = { type: "array", items: { type: "string" } }
const amount = { type: "number" }

const schemas: Readonly<Record<string, Json>> = {
  brand: { ...anyOf, examples: [["Green Leaf"]] },
  category: { ...anyOf, examples: [["Flower"]] },
  price_min: amount,
  price_max: amount,
  thc_min: amount,
  thc_max: amount,
  in_stock: { type: "boolean" },
  search: { type: "string", examples: ["dream"] },
  sort: { type: "string", enum: productSorts },
  order: { type: "string", enum: sortOrders, default: "asc" },
  limit: limit(maxLimit, defaultLimit),
  offset,
  group_by: { type: "string", enum: productGroupings }
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null

const describe = (parameter: unknown): unknown => {
  if (!isJson(parameter)) return parameter
  const name = String(parameter["name"])
  const schema = schemas[name]
  if (schema === undefined) return parameter
  const declared = isJson(parameter["schema"]) ? parameter["schema"] : {}
  const { description } = { ...declared, ...parameter }
  return { ...parameter, description, schema, required: name === "group_by" }
}

/** What the declaration, which takes every parameter as text, cannot say: what the texts must be. */
export const documented = (operation: Json): Json => ({
  ...operation,
  parameters: Array.isArray(operation["parameters"]) ? operation["parameters"].map(describe) : []
})
