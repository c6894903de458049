import type { Argument, Command, Option } from "commander"

/** A word that can stand where the cursor is, and what it means. */
export interface Candidate {
  readonly value: string
  readonly description: string
}

/** What a shell offers for a word: the names of files, or words. */
export type Candidates = "files" | ReadonlyArray<Candidate>

/** How far a command line has come before the word that is being typed. */
interface Place {
  readonly command: Command
  /** Arguments of the command that are typed already. */
  readonly position: number
  /** The option whose value comes next. */
  readonly option: Option | undefined
}

const takesValue = (option: Option): boolean => option.required || option.optional

const findOption = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => word === long || word === short)

const afterOption = (place: Place, word: string): Place => {
  const option = findOption(place.command, word)
  return { ...place, option: option !== undefined && takesValue(option) ? option : undefined }
}

const next = (place: Place, word: string): Place => {
  if (word.startsWith("-") && word !== "-") return afterOption(place, word)
  if (place.option !== undefined) return place.option.variadic ? place : { ...place, option: undefined }
  const below = place.command.commands.find((command) => command.name() === word)
  if (below !== undefined) return { command: below, position: 0, option: undefined }
  // `clicks help keys` goes on as `clicks keys` does.
  return word === "help" ? place : { ...place, position: place.position + 1 }
}

const valuesOf = (choices: ReadonlyArray<string> | undefined): ReadonlyArray<Candidate> =>
  (choices ?? []).map((value) => ({ value, description: "" }))

// A value that the help calls <file> is the name of one.
const optionValues = ({ argChoices, flags }: Option): Candidates =>
  /[<[]file[>\]]/.test(flags) ? "files" : valuesOf(argChoices)

const argumentValues = (argument: Argument | undefined): Candidates =>
  argument?.name() === "file" ? "files" : valuesOf(argument?.argChoices)

const optionsOf = (command: Command): ReadonlyArray<Candidate> =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ description, long, short }) => ({ value: long ?? short ?? "", description }))

const argumentsOf = ({ command, position }: Place): Candidates => {
  const given = command.registeredArguments
  const last = given.at(-1)
  return argumentValues(given[position] ?? (last?.variadic ? last : undefined))
}

const commandsOf = (command: Command): ReadonlyArray<Candidate> => {
  const help = command.createHelp()
  return help
    .visibleCommands(command)
    .map((below) => ({ value: below.name(), description: help.subcommandDescription(below) }))
}

const assignedValues = (command: Command, word: string): Candidates => {
  const name = word.slice(0, word.indexOf("="))
  const option = findOption(command, name)
  const values = option === undefined ? [] : optionValues(option)
  if (values === "files") return values
  return values.map(({ description, value }) => ({ value: `${name}=${value}`, description }))
}

const possible = (place: Place, word: string): Candidates => {
  if (/^--[^=]+=/.test(word)) return assignedValues(place.command, word)
  if (word.startsWith("-")) return optionsOf(place.command)
  if (place.option !== undefined) return optionValues(place.option)
  const values = argumentsOf(place)
  return values === "files" || place.position > 0 ? values : [...commandsOf(place.command), ...values]
}

/** What can stand for the last of the words, which may be empty; the words are those behind `clicks`. */
export const candidates = (program: Command, words: ReadonlyArray<string>): Candidates => {
  const word = words.at(-1) ?? ""
  const start: Place = { command: program, position: 0, option: undefined }
  const found = possible(words.slice(0, -1).reduce(next, start), word)
  return found === "files" ? found : found.filter(({ value }) => value.startsWith(word))
}
