import { existsSync } from "node:fs"
import { cp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { build } from "esbuild"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Consumer, install, launch, names, root, run, stopAll } from "./Consumer.ts"

let consumer: Consumer

interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
}

const manifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(path, "package.json"), "utf8"))
const installed = (name: string) => join(consumer.folder, "node_modules/@clicks", name)

beforeAll(async () => {
  const express = await manifest(join(root, "node_modules/express"))
  consumer = await install(express.version)
})

afterAll(async () => {
  await stopAll()
  await rm(consumer.folder, { recursive: true, force: true })
})

describe.each(names)("the packed package %s", (name) => {
  it("has an artifact for each export, and lists the exports in order", async () => {
    const source = await manifest(join(root, "packages", name))
    const packed = await manifest(installed(name))
    expect(Object.keys(packed.exports)).toEqual(Object.keys(source.exports))
    for (const path of Object.values(source.exports)) {
      expect(existsSync(join(root, "packages", name, path)), path).toBe(true)
    }
    for (const path of Object.values(packed.exports)) {
      expect(path).toMatch(/^\.\/(dist\/.+\.js|package\.json)$/)
      expect(existsSync(join(installed(name), path)), path).toBe(true)
    }
    const depth = (path: string) => `${path.split("/").length > 2 ? 1 : 0}${path.toLowerCase()}`
    const inOrder = (paths: Array<string>) => paths.toSorted((a, b) => (depth(a) < depth(b) ? -1 : 1))
    const listed = Object.keys(source.exports).filter((path) => path !== "./package.json")
    expect(listed).toEqual(inOrder(listed))
  })

  it("is clean for publint", async () => {
    const packageJson = JSON.parse(await readFile(join(installed(name), "package.json"), "utf8"))
    const { messages } = await publint({ pkgDir: installed(name), pack: false, strict: true })
    expect(messages.map((message) => formatMessage(message, packageJson))).toEqual([])
  })
})

// The cli exports nothing.
describe.each(names.filter((name) => name !== "cli"))("the types of %s", (name) => {
  it("are clean for arethetypeswrong, as types of ESM only", async () => {
    const tarball = await readFile(
      join(consumer.tarballs, `clicks-${name}-${(await manifest(installed(name))).version}.tgz`)
    )
    const result = await checkPackage(createPackageFromTarballData(tarball))
    const problems = "problems" in result ? result.problems : [result]
    expect(problems.filter((problem) => !isAboutCommonJs(problem))).toEqual([])
  })
})

// `--profile esm-only` ignores require() of ESM, which works from Node 20.19 on, and resolution without exports.
const isAboutCommonJs = (problem: object) =>
  "resolutionKind" in problem && ["node10", "node16-cjs"].includes(String(problem.resolutionKind))

describe("in a service that installed the packages", () => {
  it("imports and requires every export", async () => {
    const paths = (
      await Promise.all(
        names.map(async (name) =>
          Object.keys((await manifest(installed(name))).exports)
            .filter((path) => path !== "./package.json" && path !== "./testing")
            .map((path) => `@clicks/${name}${path.slice(1)}`)
        )
      )
    ).flat()
    await writeFile(
      join(consumer.folder, "all.mjs"),
      paths.map((path) => `import ${JSON.stringify(path)}\n`).join("")
    )
    await writeFile(
      join(consumer.folder, "all.cjs"),
      paths.map((path) => `require(${JSON.stringify(path)})\n`).join("")
    )
    for (const file of ["all.mjs", "all.cjs"]) await run(process.execPath, [file], { cwd: consumer.folder })
    expect(paths.length).toBeGreaterThan(100)
  })

  it("cannot import an internal module", async () => {
    const refused = run(process.execPath, ["-e", 'import("@clicks/core/clicks/recording/GroupCommit")'], {
      cwd: consumer.folder
    })
    await expect(refused).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED")
  })

  // `node` is the machine's own, from 20.19 on. Only the core supports it.
  it.each([["node"], [process.execPath]])("works with require on %s", async (node) => {
    const output = await run(node, ["require.cjs"], { cwd: consumer.folder })
    expect(JSON.parse(output)).toEqual({ total: 1, recordMany: "function" })
  })

  it.each(["nodenext", "bundler"])("type-checks with moduleResolution %s", async (resolution) => {
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    const options = [
      "--strict",
      "--noEmit",
      "--target",
      "es2024",
      "--lib",
      "es2024,dom",
      "--skipLibCheck",
      "false",
      // One program for all: several would each read the types of all libraries.
      "--checkers",
      "1"
    ]
    const modules = [
      "--module",
      resolution === "bundler" ? "esnext" : resolution,
      "--moduleResolution",
      resolution
    ]
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")]
    await run(process.execPath, [compiler, ...options, ...modules, ...types, "types.ts"], {
      cwd: consumer.folder
    })
  })

  it("records and lists in an Express application", async () => {
    const app = launch(process.execPath, ["express.mjs"], { cwd: consumer.folder })
    try {
      const [port] = await app.output(/^\d+/)
      const clicks = `http://127.0.0.1:${port}/clicks`
      const post = (body: object) =>
        fetch(clicks, {
          method: "POST",
          headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (iPad)" },
          body: JSON.stringify(body)
        })
      expect(await (await post({ product_id: "p-1", action: "view", source: "web" })).json()).toMatchObject({
        outcome: "stored"
      })
      expect((await post({ product_id: "p-1", action: "view" })).status).toBe(400)
      const page = await (await fetch(`${clicks}?product_id=p-1`)).json()
      expect(page).toMatchObject({ total: 1, events: [{ device_type: "tablet" }] })
    } finally {
      await app.stop()
    }
  })

  it.each([
    ["with-effect", "mobile"],
    ["with-promises", "tablet"]
  ])("runs the compiled example %s", async (example, device) => {
    await cp(join(root, "examples/dist", `${example}.js`), join(consumer.folder, `${example}.js`))
    const output = await run(process.execPath, [`${example}.js`], { cwd: consumer.folder })
    expect(output.split("\n")).toEqual([
      expect.stringMatching(/^stored as [0-9a-f-]{36}$/),
      "refused: action is required and must be one of: view, open_store, open_product, compare, other",
      `1 in all, from a ${device}`,
      ""
    ])
  })

  it("runs the compiled example own-tasks", async () => {
    await cp(join(root, "examples/dist/own-tasks.js"), join(consumer.folder, "own-tasks.js"))
    const output = await run(process.execPath, ["own-tasks.js"], { cwd: consumer.folder })
    expect(output).toMatch(
      /Attempt failed: Nobody is at home[\s\S]*\nHello, Zoë!\nsucceeded after 2 attempts\n$/
    )
  })

  it.each(["@clicks/core/promise", "@clicks/http/client"])("bundles %s for a browser", async (path) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: `export * from "${path}"`, resolveDir: consumer.folder },
      bundle: true,
      minify: true,
      platform: "browser",
      format: "esm",
      write: false
    })
    expect(warnings).toEqual([])
    const bytes = gzipSync(outputFiles[0]?.contents ?? "").length
    console.log(`${path} for a browser: ${(bytes / 1000).toFixed(0)} kB, minified and gzipped`)
    expect(bytes).toBeGreaterThan(1000)
  })
})

// On the machine's own Node, which may be 20: the packages include the Node that they need.
describe("the installed clicks command", () => {
  it("starts, serves, works and lists without the repository", async () => {
    const clicks = join(consumer.folder, "node_modules/.bin/clicks")
    const options = { cwd: consumer.folder, env: { PORT: "0" } }
    const started = launch(clicks, ["start"], options)
    try {
      const [, url = ""] = await started.output(/Clicks is ready: (\S+)/)
      const [, key = ""] = await started.output(/(clk_[\w-]+)\s/)
      const recorded = await run(process.execPath, ["client.mjs", url, key], { cwd: consumer.folder })
      expect(JSON.parse(recorded)).toEqual({ receipt: "stored", total: 1 })
      expect(await run(clicks, ["list"], options)).toContain("p-client")
      const [, script = ""] = /src="([^"]+)"/.exec(await (await fetch(url)).text()) ?? []
      expect((await fetch(new URL(script, url))).headers.get("content-type")).toContain("javascript")

      const served = launch(clicks, ["serve"], options)
      const worker = launch(clicks, ["worker"], options)
      try {
        const [, second = ""] = await served.output(/(http:\/\/127\.0\.0\.1:\d+)/)
        const again = await run(process.execPath, ["client.mjs", second, key], { cwd: consumer.folder })
        expect(JSON.parse(again)).toEqual({ receipt: "stored", total: 2 })
        await worker.output(/The worker is ready/)
      } finally {
        expect(await Promise.all([served.stop(), worker.stop()])).toEqual([0, 0])
      }
    } finally {
      expect(await started.stop()).toBe(0)
    }
  })
})

describe("npm pack", () => {
  it("fails and refers to npm run pack", async () => {
    const packed = run("npm", ["pack", "--dry-run"], { cwd: join(root, "packages/core") })
    await expect(packed).rejects.toThrow("npm cannot pack this package. Run `npm run pack`")
  })
})
