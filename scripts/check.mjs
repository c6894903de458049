// Runs all checks in parallel, which takes half the time, and prints the output of each check when it ends.
import { spawn } from "node:child_process"

const npm = process.platform === "win32" ? "npm.cmd" : "npm"

const run = (name) =>
  new Promise((resolve) => {
    const child = spawn(npm, ["run", "--silent", name], {
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32"
    })
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => output.push(piece))
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(output))
      if (code !== 0) console.error(`npm run ${name} failed`)
      resolve(code === 0)
    })
  })

const passed = await Promise.all(["typecheck", "lint", "check:imports", "check:unused"].map(run))
process.exitCode = passed.every(Boolean) ? 0 : 1
