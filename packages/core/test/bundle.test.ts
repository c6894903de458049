import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"

const bundle = async (source: string) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    bundle: true,
    minify: true,
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    platform: "browser",
    format: "iife",
    globalName: "bundle",
    metafile: true,
    write: false
  })
  return {
    code: outputFiles[0]?.text ?? "",
    inputs: Object.keys(metafile.inputs),
    bytes: outputFiles[0]?.contents.length ?? 0
  }
}

const withCore = `
  import { openClicks } from "./src/promise.ts"
  export const run = async () => {
    const clicks = openClicks()
    const receipt = await clicks.record({ product_id: "p-1", action: "view", source: "web" }, { idempotencyKey: "k" })
    const page = await clicks.list({ product_id: "p-1" })
    await clicks.close()
    return JSON.stringify({ outcome: receipt.outcome, total: page.total })
  }
`

// The parts that a page using the same modules of Effect loads anyway.
const effectAlone = `
  import { Context, Deferred, Duration, Effect, Fiber, Layer, ManagedRuntime, Metric, Queue, Result, Schedule, Schema, Stream } from "effect"
  export const run = () => [Context, Deferred, Duration, Effect, Fiber, Layer, ManagedRuntime, Metric, Queue, Result, Schedule, Schema, Stream]
`

describe("the core in a browser", () => {
  it("bundles with no dependency but effect and works without Node", async () => {
    const { bytes, code, inputs } = await bundle(withCore)
    const foreign = inputs.filter((input) => !/^(src\/|<stdin>)|\/node_modules\/effect\//.test(input))
    assert.deepStrictEqual(foreign, [])

    const { AbortController, clearTimeout, crypto, setTimeout, TextDecoder, TextEncoder, URL } = globalThis
    const page = createContext({
      AbortController,
      clearTimeout,
      crypto,
      setTimeout,
      TextDecoder,
      TextEncoder,
      URL
    })
    runInContext(`${code}; globalThis.run = bundle.run`, page)
    assert.strictEqual(await runInContext("run()", page), '{"outcome":"stored","total":1}')

    const alone = await bundle(effectAlone)
    const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`
    console.log(
      `Minified for a browser: ${kB(bytes)}, of which the core adds ${kB(bytes - alone.bytes)} to effect`
    )
  })
})
