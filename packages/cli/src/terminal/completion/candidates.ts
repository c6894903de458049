import type { Command, Option } from "commander"

/** A word that fits at the cursor, with its description. */
interface Candidate {
  readonly value: string
  readonly description: string
}

/** What a shell offers for a word: file names, or candidates. */
type Candidates = "files" | ReadonlyArray<Candidate>

/** The state of a command line before the word that is being typed. */
interface Place {
  readonly command: Command
  /** Number of arguments already typed. */
  readonly position: number
  /** The option whose value is next. */
  readonly option: Option | undefined
}

const findOption = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => word === long || word === short)

const next = (place: Place, word: string): Place => {
  const { command, option, position } = place
  if (word.startsWith("-") && word !== "-") {
    const found = findOption(command, word)
    return { ...place, option: found?.required || found?.optional ? found : undefined }
  }
  if (option !== undefined) return option.variadic ? place : { ...place, option: undefined }
  const subcommand = command.commands.find((each) => each.name() === word)
  if (subcommand !== undefined) return { command: subcommand, position: 0, option }
  // `clicks help keys` continues as `clicks keys` does.
  return word === "help" ? place : { ...place, position: position + 1 }
}

// In help, a value that is a file name is called <file>.
const valuesOf = (label: string, choices: ReadonlyArray<string> = []): Candidates =>
  /\bfile\b/.test(label) ? "files" : choices.map((value) => ({ value, description: "" }))

const optionValues = (option?: Option): Candidates => valuesOf(option?.flags ?? "", option?.argChoices)

const optionsOf = (command: Command): ReadonlyArray<Candidate> =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ description, long, short }) => ({ value: long ?? short ?? "", description }))

const commandsOf = (command: Command): ReadonlyArray<Candidate> => {
  const help = command.createHelp()
  return help
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: help.subcommandDescription(each) }))
}

const argumentsOf = ({ command: { registeredArguments }, position }: Place): Candidates => {
  const last = registeredArguments.at(-1)
  const argument = registeredArguments[position] ?? (last?.variadic ? last : undefined)
  return valuesOf(argument?.name() ?? "", argument?.argChoices)
}

const possible = (place: Place, word: string): Candidates => {
  const [, name] = /^(--[^=]+)=/.exec(word) ?? []
  if (name !== undefined) {
    const values = optionValues(findOption(place.command, name))
    return values === "files" ? values : values.map((each) => ({ ...each, value: `${name}=${each.value}` }))
  }
  if (word.startsWith("-")) return optionsOf(place.command)
  if (place.option !== undefined) return optionValues(place.option)
  const values = argumentsOf(place)
  return values === "files" || place.position > 0 ? values : [...commandsOf(place.command), ...values]
}

/** Candidates for the last of the words after `clicks`, which may be empty. */
export const candidates = (program: Command, words: ReadonlyArray<string>): Candidates => {
  const word = words.at(-1) ?? ""
  const start: Place = { command: program, position: 0, option: undefined }
  const found = possible(words.slice(0, -1).reduce(next, start), word)
  return found === "files" ? found : found.filter(({ value }) => value.startsWith(word))
}
