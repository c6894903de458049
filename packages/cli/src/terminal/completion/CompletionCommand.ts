import { Argument, type Command } from "commander"

const help = `
Requires "clicks" in the PATH.

Examples:
  echo 'eval "$(clicks completion bash)"' >> ~/.bashrc
  echo 'eval "$(clicks completion zsh)"' >> ~/.zshrc
  clicks completion fish > ~/.config/fish/completions/clicks.fish`

/** Declares `clicks completion` and the hidden command that its scripts call. */
export const declareCompletion = (program: Command): void => {
  program
    .command("completion")
    .description("Print a shell completion script. It completes commands, options, option values and files.")
    .addArgument(new Argument("<shell>", "shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", help)
    .action(async (shell: import("./scripts.ts").Shell) => {
      const { scripts } = await import("./scripts.ts")
      process.stdout.write(scripts[shell])
    })
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: ReadonlyArray<string>) => {
      const { candidates } = await import("./candidates.ts")
      const found = candidates(program, words)
      const lines =
        found === "files" ? [":files"] : found.map(({ description, value }) => `${value}\t${description}`)
      process.stdout.write(lines.map((line) => `${line}\n`).join(""))
    })
}
