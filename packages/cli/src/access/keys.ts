import type { ApiKey } from "@clicks/core/access/ApiKey"
import { ApiKeys } from "@clicks/core/access/ApiKeys"
import type { Role } from "@clicks/core/access/Caller"
import { unstorableReason } from "@clicks/core/values/Text"
import { Effect, Option, Redacted } from "effect"
import { CommandFailed, exitCodes, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"

interface Format {
  readonly json?: boolean
}

const day = (instant: Date): string => instant.toISOString().slice(0, 10)

const use = ({ last_used_at, revoked_at }: ApiKey): string => {
  if (revoked_at !== null) return `revoked ${day(revoked_at)}`
  return last_used_at === null ? "never used" : `used ${day(last_used_at)}`
}

// What fits into 80 columns; `--json` has the times in full.
const columns: ReadonlyArray<Column<ApiKey>> = [
  { title: "id", cell: (key) => key.id, isWhole: true },
  { title: "user", cell: (key) => key.user_id },
  { title: "role", cell: (key) => key.role, isWhole: true },
  { title: "name", cell: (key) => key.name ?? "" },
  { title: "use", cell: use, isWhole: true }
]

const storable = Effect.fnUntraced(function* (option: string, text: string) {
  const reason = text === "" ? "is empty" : unstorableReason(text)
  if (reason !== undefined) return yield* new UsageError({ message: `${option} ${reason}` })
})

/** `clicks keys create`. */
export const createKey = Effect.fn("createKey")(function* (
  options: Format & { readonly user: string; readonly role: Role; readonly name?: string }
) {
  yield* storable("--user", options.user)
  if (options.name !== undefined) yield* storable("--name", options.name)
  const { key, secret } = yield* ApiKeys.use((keys) =>
    keys.create({ user_id: options.user, role: options.role, name: options.name ?? null })
  ).pipe(Effect.provide(Database.layer))
  if (options.json) yield* Output.json({ key, secret: Redacted.value(secret) })
  else {
    yield* Output.line(Redacted.value(secret))
    yield* Output.note(`Created ${key.role} key ${key.id}. Save the key above: it is not shown again.`)
  }
  return exitCodes.done
}, Database.creating)

/** `clicks keys list`. */
export const listKeys = Effect.fn("listKeys")(function* ({ json }: Format) {
  const keys = yield* ApiKeys.use((service) => service.list).pipe(Effect.provide(Database.layer))
  if (json) yield* Output.json({ keys, total: keys.length })
  else {
    const shown = columns.filter((column) => keys.some((key) => column.cell(key) !== ""))
    if (keys.length > 0) yield* Output.line(table(shown, keys, Output.width()))
    yield* Output.footer(countOf(keys.length, "key"))
  }
  return exitCodes.done
})

/** `clicks keys revoke`. */
export const revokeKey = Effect.fn("revokeKey")(function* (id: string, { json }: Format) {
  const revoked = yield* ApiKeys.use((keys) => keys.revoke(id)).pipe(Effect.provide(Database.layer))
  if (Option.isNone(revoked))
    return yield* new CommandFailed({ message: `There is no key with the id ${id}` })
  if (json) yield* Output.json(revoked.value)
  else yield* Output.note(`Revoked key ${id} of ${revoked.value.user_id}`)
  return exitCodes.done
})
