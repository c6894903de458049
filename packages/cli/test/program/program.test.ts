import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bare, type Folder, folderLayer, launcher } from "../clicks.ts"

/** The command, and all that its help names below it. */
const explained = (
  command: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, never, Folder> =>
  Effect.gen(function* () {
    const { stdout } = yield* bare([...command, "--help"])
    const [, listed = ""] = stdout.split("\nCommands:\n")
    const names = Array.from(
      listed.split("\n\n")[0]?.matchAll(/^ {2}([a-z]+)/gm) ?? [],
      ([, name = ""]) => name
    )
    const below = names.filter((name) => name !== "help").map((name) => explained([...command, name]))
    return [command, ...(yield* Effect.all(below, { concurrency: 2 })).flat()]
  })

describe("clicks", () => {
  it.live("explains itself on standard output", () =>
    Effect.gen(function* () {
      const commands = yield* explained([])
      const named = commands.map((command) => command.join(" "))
      assert.includeMembers(named, [
        "",
        "start",
        "import",
        "keys create",
        "quarantine clear",
        "tasks enqueue"
      ])
      for (const command of commands) {
        const { code, stderr, stdout } = yield* bare([...command, "--help"])
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.match(stdout, /^Examples?:\n {2}.*clicks /m, command.join(" "))
        const wide = stdout.split("\n").filter((line) => line.length > 80)
        assert.deepStrictEqual(wide, [], command.join(" "))
      }
      assert.match((yield* bare(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/)
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("answers what it does not know with 2 and what may be meant", () =>
    Effect.gen(function* () {
      for (const [args, answer] of [
        [["improt", "x"], /^clicks: unknown command 'improt'\n\(Did you mean import\?\)/],
        [["list", "--prodct-id", "x"], /unknown option '--prodct-id'\n\(Did you mean --product-id\?\)/],
        [["import"], /missing required argument 'file'/],
        [["keys", "create"], /required option '--user <id>' not specified/],
        [[], /Usage: clicks/]
      ] as const) {
        const { code, stderr, stdout } = yield* bare(args)
        assert.match(stderr, answer)
        assert.deepStrictEqual([code, stdout], [2, ""])
      }
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("completes commands and options in a shell", () =>
    Effect.gen(function* () {
      assert.match((yield* bare(["complete", "bash"])).stdout, /bash completion for clicks/)
      assert.match((yield* bare(["complete", "--", "import", "--dry"])).stdout, /^--dry-run\t/)
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("starts on the Node of the machine, when that is older, by way of the Node it brings along", () =>
    Effect.sync(() => {
      const older = ["/usr/local/bin/node", "/usr/bin/node"].find((node) => {
        const { error, stdout } = spawnSync(node, ["--version"], { encoding: "utf8" })
        return error === undefined && Number.parseInt(stdout.slice(1), 10) < 24
      })
      if (older === undefined) return
      const { status, stdout } = spawnSync(older, [launcher, "--version"], { encoding: "utf8" })
      assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
      assert.strictEqual(status, 0)
      assert.strictEqual(spawnSync(older, [launcher, "nothing"], { encoding: "utf8" }).status, 2)
    })
  )
})
