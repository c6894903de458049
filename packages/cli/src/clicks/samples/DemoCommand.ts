import { type Command, InvalidArgumentError } from "commander"
import { action, json } from "../../process/command.ts"

const maxClicks = 200_000

const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }

const help = `
The clicks are those of a shop in Arizona in the last 30 days: 60 products, 8
brands, 6 stores and 5 campaigns, with visitors who come back. All have the
source "demo". --remove recognises them by their ids and deletes nothing else,
not even clicks of your own with the same source. Running the command again
replaces them.

If the database has clicks of your own, the command changes nothing unless you
use --force, because statistics would count both.

Examples:
  clicks demo
  clicks demo --clicks 50000 --seed 7
  clicks demo --remove`

/** Declares `clicks demo`. */
export const declareDemo = (program: Command): void => {
  program
    .command("demo")
    .description("Add a month of sample clicks to try out listings and statistics; --remove deletes them.")
    .summary("add a month of sample clicks, or remove them")
    .option("--clicks <count>", `number of clicks, 1 to ${maxClicks}`, whole(1, maxClicks), 30_000)
    .option(
      "--seed <number>",
      "seed of the random clicks; the same seed gives the same clicks",
      whole(0, 999_999_999),
      1
    )
    .option("--force", "add sample clicks even if the database has clicks of your own", false)
    .option("--remove", "delete all sample clicks and nothing else")
    .option(...json("the numbers of added and replaced, or removed, clicks"))
    .addHelpText("after", help)
    .action(action(() => import("./demo.ts"), "demo"))
}
