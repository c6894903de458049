import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { readSettings } from "../packages/cli/src/settings/readSettings.ts"
import { settingTexts } from "../packages/cli/src/settings/settingTexts.ts"
import { versionProblem } from "../packages/clickhouse-adapter/src/ServerVersion.ts"
import { oldestSupported } from "../packages/sql-adapter/src/DatabaseStatus.ts"
import { root } from "./Consumer.ts"

const compose = (await readFile(join(root, "compose.yaml"), "utf8")).replaceAll(/\$\{(\w+):\?\}/g, "secret$1")

/** The lines of a service in the compose file, or of a part of it. */
const linesOf = (service: string): string =>
  compose.match(new RegExp(`^  ${service}:\n((?:    .*\n|\n)*)`, "m"))?.[1] ?? ""

const environmentOf = (service: string): Record<string, string> => {
  const lines = linesOf(service).match(/^ {4}environment:\n((?: {6}.*\n)*)/m)?.[1] ?? ""
  return Object.fromEntries(
    Array.from(lines.matchAll(/^ {6}(\w+): "?([^"\n]*)"?$/gm), ([, name = "", value = ""]) => [name, value])
  )
}

const tagOf = (service: string, image: string) =>
  linesOf(service).match(new RegExp(`image: ${image}:(\\S+)`))?.[1]

describe("compose.yaml", () => {
  const environment = environmentOf("clicks")

  it("sets only variables that the service accepts", async () => {
    expect(Object.keys(environment)).toContain("CLICKHOUSE_URL")
    for (const name of Object.keys(environment)) expect(settingTexts).toHaveProperty(name)
    const settings = await Effect.runPromise(readSettings(environment))
    expect(settings).toMatchObject({ port: 3000, host: "0.0.0.0", dataDir: "/data" })
    expect(linesOf("clicks")).toContain("127.0.0.1:3000:3000")
    expect(linesOf("clicks")).toContain("spool:/data")
  })

  it("connects the service to the databases as they are set up", () => {
    const postgres = environmentOf("postgres")
    const { POSTGRES_DB, POSTGRES_PASSWORD, POSTGRES_USER } = postgres
    expect(environment["DATABASE_URL"]).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`
    )
    const { CLICKHOUSE_DB, CLICKHOUSE_PASSWORD, CLICKHOUSE_USER } = environmentOf("clickhouse")
    expect(environment["CLICKHOUSE_URL"]).toBe(
      `http://${CLICKHOUSE_USER}:${CLICKHOUSE_PASSWORD}@clickhouse:8123/${CLICKHOUSE_DB}`
    )
  })

  it("names versions that the service supports", () => {
    expect(Number(tagOf("postgres", "postgres"))).toBeGreaterThanOrEqual(oldestSupported)
    // A tag such as 18 stands for all releases of that line.
    expect(versionProblem(`${tagOf("clickhouse", "clickhouse/clickhouse-server")}.0`)).toBeUndefined()
  })
})
