#!/usr/bin/env node
// Starts the command on Node 24 or newer. This file must run on every Node since 18, because a machine's own Node may be older than
// the one that was installed with this package.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import * as module from "node:module"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"

const neededMajor = 24
const here = dirname(fileURLToPath(import.meta.url))
const program = ["../src/main.ts", "../dist/main.js"]
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** The Node that npm installed for this platform as an optional dependency. */
const installedNode = () => {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
  const binary = process.platform === "win32" ? "bin/node.exe" : "bin/node"
  try {
    return join(dirname(module.createRequire(import.meta.url).resolve(`${name}/package.json`)), binary)
  } catch {
    return undefined
  }
}

const runOn = (node) => {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" })
  const pass = (signal) => child.kill(signal)
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass)
  child.on("error", (error) => {
    console.error(`clicks: ${node} cannot be started: ${error.message}`)
    process.exit(1)
  })
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  // Not in the folder for temporary files, where another user could plant code.
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? join(here, "../node_modules/.cache/compile"))
  // Collect the old heap when it has grown by half (see `node --v8-options`): an import takes 290 MB instead of 430, and an overloaded
  // service 220 MB instead of over 400.
  setFlagsFromString("--heap-growing-percent=50")
  // Collect the young heap when 40% of its 64 MB are used instead of 80%: draining the spool takes 269 MB instead of 315.
  setFlagsFromString("--minor-gc-task-trigger=40")
  await import(program.href)
} else {
  const node = installedNode()
  if (node === undefined || !existsSync(node)) {
    console.error(
      `clicks needs Node ${neededMajor} or newer. This is Node ${process.versions.node}, and no newer one was installed with clicks. Install Node ${neededMajor} from https://nodejs.org`
    )
    process.exit(1)
  }
  runOn(node)
}
