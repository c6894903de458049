import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bare, type Folder, folderLayer, launcher } from "../clicks.ts"

/** The command, and all subcommands that its help lists. */
const explained = (
  command: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, never, Folder> =>
  Effect.gen(function* () {
    const { stdout } = yield* bare([...command, "--help"])
    const isRoot = command.length === 0
    const [, listed = ""] = stdout.split(isRoot ? "\n\n" : "\nCommands:\n")
    const lines = listed.split("\n\n")[0] ?? ""
    const [described = "", more = ""] = lines.split(/^ {2}More /m)
    const names = [
      ...Array.from(
        described.matchAll(isRoot ? /^ {2}.{8}([a-z]+) {2}/gm : /^ {2}([a-z]+)/gm),
        ([, name = ""]) => name
      ),
      ...(more.match(/[a-z]+/g) ?? [])
    ]
    const below = names.filter((name) => name !== "help").map((name) => explained([...command, name]))
    return [command, ...(yield* Effect.all(below, { concurrency: 2 })).flat()]
  })

describe("clicks", () => {
  it.live("prints help for every command on standard output", () =>
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
        const call = ["clicks", ...command].join(" ")
        if (command.length > 0)
          assert.match(stdout, new RegExp(`^Examples?:\\n {2}(?=\\S)[^]*${call}`, "m"), call)
        const [usage = ""] = stdout.split("\n", 1)
        if (/ <|\[\w+\.\.\.\]/.test(usage) && command.length > 0)
          assert.match(stdout, /^Arguments:\n/m, usage)
        // A full-screen view and a completion script have no JSON form.
        const printsData = !stdout.includes("\nCommands:\n") && !/^(top|completion)?$/.test(command.join(" "))
        if (printsData) assert.match(stdout, /^ {2}--json {2}.* (print|same as) /m, usage)
        const wide = stdout.split("\n").filter((line) => line.length > 80)
        assert.deepStrictEqual(wide, [], command.join(" "))
      }
      assert.match((yield* bare(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/)
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("lists every command within 24 lines, with room for the next prompt", () =>
    Effect.gen(function* () {
      const { stdout } = yield* bare(["--help"])
      assert.isAtMost(stdout.split("\n").length, 24)
      const commands = (yield* bare(["__complete", "--", ""])).stdout.matchAll(/^(\w+)\t/gm)
      const names = Array.from(commands, ([, name = ""]) => name).filter((name) => name !== "help")
      assert.isAbove(names.length, 15)
      for (const name of names) assert.match(stdout, new RegExp(` ${name}\\s`))
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("exits with 2 on a usage error, suggests a name and refers to the command's help", () =>
    Effect.gen(function* () {
      for (const [args, answer] of [
        [
          ["improt", "x"],
          /^clicks: unknown command 'improt'\n\(Did you mean import\?\)\nSee clicks --help\n$/
        ],
        [
          ["list", "--prodct-id", "x"],
          /unknown option '--prodct-id'\n\(Did you mean --product-id\?\)\nSee clicks list --help\n$/
        ],
        [["import"], /missing required argument 'file'/],
        [["keys", "create"], /required option '--user <id>' not specified\nSee clicks keys create --help\n$/],
        [[], /Usage: clicks/]
      ] as const) {
        const { code, stderr, stdout } = yield* bare(args)
        assert.match(stderr, answer)
        assert.deepStrictEqual([code, stdout], [2, ""])
      }
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("runs on the Node that it was installed with if the machine's own is older", () =>
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
