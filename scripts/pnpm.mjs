import { spawnSync } from "node:child_process"

// Not in package.json as "packageManager", because pnpm would then look for itself in the lockfile.
const packageManager = "pnpm@12.21.0"

/** Runs the pinned pnpm and waits for it. */
export const pnpm = (args, options) =>
  spawnSync("npx", ["--yes", packageManager, ...args], {
    encoding: "utf8",
    shell: process.platform === "win32",
    ...options
  })
