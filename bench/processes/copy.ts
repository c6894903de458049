import { spawnSync } from "node:child_process"
import { createReadStream, createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { Client } from "pg"
import { from, to } from "pg-copy-streams"
import { runCommand } from "./command.ts"

const hasPsql = spawnSync("psql", ["--version"]).error === undefined

/** The program that copies, for the report. */
export const copyProgram = hasPsql ? "psql \\copy" : "COPY through pg-copy-streams"

const psql = (url: string, command: string) =>
  runCommand("psql", ["-X", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", command])

const withClient = async (url: string, copy: (client: Client) => Promise<void>): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await copy(client).finally(() => client.end())
}

const secondsOf = async (copying: Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await copying
  return (performance.now() - begin) / 1000
}

/** `\copy target from file` of a CSV file with a header. Returns the seconds it took. */
export const copyFrom = (url: string, target: string, file: string): Promise<number> =>
  secondsOf(
    hasPsql
      ? psql(url, `\\copy ${target} from '${file}' with (format csv, header)`)
      : withClient(url, (client) =>
          pipeline(
            createReadStream(file),
            client.query(from(`copy ${target} from stdin with (format csv, header)`))
          )
        )
  )

/** `\copy (select) to file`, as CSV with a header. Returns the seconds it took. */
export const copyTo = (url: string, select: string, file: string): Promise<number> =>
  secondsOf(
    hasPsql
      ? psql(url, `\\copy (${select}) to '${file}' with (format csv, header)`)
      : withClient(url, (client) =>
          pipeline(
            client.query(to(`copy (${select}) to stdout with (format csv, header)`)),
            createWriteStream(file)
          )
        )
  )
