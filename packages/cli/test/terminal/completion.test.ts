import { spawn } from "node:child_process"
import { accessSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bare, environment, Folder, folderLayer, launcher } from "../clicks.ts"
import { hasTerminals, typing } from "../terminal.ts"

const isInstalled = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program))
      return true
    } catch {
      return false
    }
  })

const prompt = "ready> "

// Each start-up file loads the script twice, as users do when they source it again.
const shells = {
  bash: {
    startUp: ".bashrc",
    text: `PS1='${prompt}'\neval "$(clicks completion bash)"\neval "$(clicks completion bash)"\n`,
    run: "bash --noprofile --rcfile .bashrc -i"
  },
  zsh: {
    startUp: ".zshrc",
    text: `PS1='${prompt}'\neval "$(clicks completion zsh)"\neval "$(clicks completion zsh)"\n`,
    run: "zsh -d -i"
  },
  fish: {
    startUp: "config.fish",
    text: `function fish_prompt; echo -n '${prompt}'; end\nclicks completion fish | source\nclicks completion fish | source\n`,
    run: "fish --no-config --init-command 'source config.fish'"
  }
} as const

const terminal = (name: keyof typeof shells) =>
  Effect.gen(function* () {
    const { path } = yield* Folder
    const { run, startUp, text } = shells[name]
    mkdirSync(join(path, "bin"))
    symlinkSync(launcher, join(path, "bin/clicks"))
    writeFileSync(join(path, "november clicks.csv"), "")
    writeFileSync(join(path, startUp), text)
    const env = environment({
      PATH: [join(path, "bin"), join(process.execPath, ".."), process.env["PATH"] ?? ""].join(delimiter),
      HOME: path,
      ZDOTDIR: path,
      TERM: "xterm",
      SHELL: "/bin/sh"
    })
    return yield* typing(`exec ${run}`, env)
  })

// Ctrl-U empties the line.
const kill = "\u0015"

const completed: ReadonlyArray<readonly [typed: string, shows: RegExp]> = [
  ["clicks quar\t", /quarantine /],
  ["clicks keys rev\t", /revoke /],
  ["clicks import --dry\t", /--dry-run /],
  ["clicks import nov\t", /november(\\ | )clicks\.csv|'november clicks\.csv'/],
  ["clicks export --out nov\t", /november(\\ | )clicks\.csv|'november clicks\.csv'/],
  ["clicks export --out=nov\t", /november(\\ | )clicks\.csv|'november clicks\.csv'/],
  ["clicks stats --group-by camp\t", /campaign_id /],
  ["clicks stats --group-by source visitor_c\t", /visitor_city /],
  ["clicks list --format=nd\t", /--format=ndjson /]
]

describe.skipIf(!hasTerminals)("completion", () => {
  for (const name of ["bash", "zsh", "fish"] as const) {
    it.live.skipIf(!isInstalled(name))(
      `completes commands, options, values and files in ${name}, sourced twice`,
      () =>
        Effect.gen(function* () {
          const shell = yield* terminal(name)
          const greeting = yield* Effect.promise(() => shell.type("", new RegExp(prompt)))
          assert.notMatch(greeting, /readonly|not found|error/i)
          for (const [typed, shows] of completed) {
            yield* Effect.promise(() => shell.type(kill + typed, shows))
          }
        }).pipe(Effect.scoped, Effect.provide(folderLayer))
    )
  }

  it.live("does not execute anything on the line", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const script = (yield* bare(["completion", "bash"])).stdout
      writeFileSync(join(path, "clicks"), "#!/bin/sh\nexit 0\n", { mode: 0o755 })
      const line = `${script}\nCOMP_WORDS=(./clicks list '$(touch run)' ''); COMP_CWORD=3; _clicks ./clicks; ls`
      const child = spawn("bash", ["-c", line], { cwd: path, env: environment({}) })
      let listed = ""
      child.stdout.on("data", (text) => {
        listed += text
      })
      yield* Effect.promise(() => new Promise((resolve) => child.once("close", resolve)))
      assert.strictEqual(listed, "clicks\n")
    }).pipe(Effect.provide(folderLayer))
  )
})

describe("completion candidates", () => {
  it.live("are what the command line accepts at the cursor", () =>
    Effect.gen(function* () {
      for (const [words, expected] of [
        [
          ["keys", ""],
          ["create", "list", "revoke", "help"]
        ],
        [["help", "keys", "re"], ["revoke"]],
        [
          ["keys", "create", "--role", ""],
          ["reader", "admin"]
        ],
        [["completion", "z"], ["zsh"]],
        [["payloads", "put", ""], []],
        [["payloads", "put", "s-17", ""], [":files"]],
        [["import", "--rejects", ""], [":files"]],
        [["import", "--dry-run", "a"], [":files"]],
        [["list", "--limit", ""], []]
      ] as const) {
        const { code, stdout } = yield* bare(["__complete", "--", ...words])
        const values = stdout.split("\n").map((line) => line.split("\t")[0])
        assert.deepStrictEqual([code, values.filter((value) => value !== "")], [0, [...expected]])
      }
    }).pipe(Effect.provide(folderLayer))
  )
})
