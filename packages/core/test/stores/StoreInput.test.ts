import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { readDirectory, readStore } from "../../src/stores/StoreInput.ts"
import { withoutSecrets } from "../../src/values/HttpUrl.ts"

const store = (value: unknown) => Result.merge(readStore(value, "AZ"))
const directory = (value: unknown) => Result.merge(readDirectory(value, "AZ"))

describe("readStore", () => {
  it("reads a store", () => {
    const listed = {
      id: "s-1",
      name: "Green Leaf",
      state: "CA",
      menu_url: "https://shop.example/menu",
      phone: "1"
    }
    assert.deepStrictEqual(store(listed), {
      id: "s-1",
      name: "Green Leaf",
      state: "CA",
      menu_url: "https://shop.example/menu"
    })
  })

  it("requires an id, and defaults to the requested state", () => {
    assert.deepStrictEqual(store({ id: 17 }), { id: "17", name: null, state: "AZ", menu_url: null })
    assert.propertyVal(store({ id: "s", state: " dc " }), "state", "DC")
  })

  it.each([
    [null, "a store must be an object"],
    [["s"], "a store must be an object"],
    [{ name: "x" }, "id is required and must be a non-empty string"],
    [{ id: "" }, "id is required and must be a non-empty string"],
    [{ id: "x".repeat(256) }, "id is longer than 255 characters"],
    [{ id: "a\0" }, "id contains a NUL character"],
    [{ id: "\ud83d" }, "id contains a lone surrogate"],
    [{ id: "s", state: "Arizona" }, "state must be a two-letter US state"],
    [{ id: "s", menu_url: "ftp://shop.example/menu" }, "menu_url is not an http or https URL"],
    [{ id: "s", menu_url: "file:///etc/passwd" }, "menu_url is not an http or https URL"],
    [{ id: "s", menu_url: "/menu" }, "menu_url is not an http or https URL"],
    [{ id: "s", menu_url: "http://" }, "menu_url is not an http or https URL"]
  ])("%j is not a store", (value, reason) => {
    assert.strictEqual(store(value), reason)
  })
})

describe("readDirectory", () => {
  it("keeps valid entries, and the last of several with the same id", () => {
    assert.deepStrictEqual(
      directory([{ id: "a", name: "first" }, 42, { id: "b" }, { id: "a", name: "second" }]),
      {
        read: [
          { id: "a", name: "second", state: "AZ", menu_url: null },
          { id: "b", name: null, state: "AZ", menu_url: null }
        ],
        rejected: 1,
        errors: [{ index: 1, error: "a store must be an object" }]
      }
    )
  })

  it("accepts a state without stores", () => {
    assert.deepStrictEqual(directory([]), { read: [], rejected: 0, errors: [] })
  })

  it.each([
    [{}, "is not an array of stores"],
    ["<html>", "is not an array of stores"],
    [[1, 2], "contains no valid store; entry 0: a store must be an object"]
  ])("%j is rejected", (value, message) => {
    assert.propertyVal(directory(value), "message", message)
  })

  it.prop("keeps or rejects each entry", [Schema.Array(Schema.Json)], ([entries]) => {
    const { read, rejected } = Result.getOrThrow(readDirectory([{ id: "first" }, ...entries], "AZ"))
    assert.isAtLeast(read.length + rejected, 1)
    assert.isAtMost(read.length + rejected, entries.length + 1)
  })
})

describe("withoutSecrets", () => {
  it.each([
    ["https://user:secret@shop.example:8443/menu?key=secret#secret", "https://shop.example:8443/menu?…"],
    ["http://shop.example", "http://shop.example/"],
    ["not a url with secret@", "(not a URL)"]
  ])("%s is shown as %s", (url, shown) => {
    assert.strictEqual(withoutSecrets(url), shown)
  })
})
