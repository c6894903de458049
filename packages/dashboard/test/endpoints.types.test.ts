import { expectTypeOf, it } from "vitest"
import type { read } from "../src/api/client.ts"
import type { AnswerOf, PathOf, QueryOf } from "../src/api/endpoints.ts"

it("has the types of the API's paths, parameters and responses, so that a breaking change is a type error", () => {
  expectTypeOf<"/api/session">().toExtend<PathOf<"GET">>()
  expectTypeOf<"/api/sessions">().not.toExtend<PathOf<"GET">>()
  expectTypeOf<AnswerOf<"GET", "/api/session">["expires_at"]>().toEqualTypeOf<string | null>()
  expectTypeOf<AnswerOf<"GET", "/api/analytics/product-clicks">["total"]>().toEqualTypeOf<number>()
  expectTypeOf<QueryOf<"/api/analytics/product-clicks">>().toHaveProperty("tz")
  expectTypeOf<QueryOf<"/api/analytics/product-clicks">>().not.toHaveProperty("time_zone")
  const wrong = (reading: typeof read) =>
    // @ts-expect-error: there is no such parameter
    reading("/api/analytics/product-clicks", { time_zone: "UTC" })
  expectTypeOf(wrong).toBeFunction()
})
