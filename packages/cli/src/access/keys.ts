import type { ApiKey } from "@clicks/core/access/ApiKey"
import { ApiKeys } from "@clicks/core/access/ApiKeys"
import type { Role } from "@clicks/core/access/Caller"
import { unstorableReason } from "@clicks/core/values/Text"
import { Effect, Redacted } from "effect"
import { orNotFound, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import type { Column } from "../terminal/Table.ts"

const day = (instant: Date): string => instant.toISOString().slice(0, 10)

const use = ({ last_used_at, revoked_at }: ApiKey): string => {
  if (revoked_at !== null) return `revoked ${day(revoked_at)}`
  return last_used_at === null ? "never used" : `used ${day(last_used_at)}`
}

// Fits into 80 columns; `--json` has the times in full.
const columns: ReadonlyArray<Column<ApiKey>> = [
  { title: "id", cell: (key) => key.id, isWhole: true },
  { title: "user", cell: (key) => key.user_id },
  { title: "role", cell: (key) => key.role, isWhole: true },
  { title: "name", cell: (key) => key.name ?? "", isOptional: true },
  { title: "use", cell: use, isWhole: true }
]

const checkText = Effect.fnUntraced(function* (option: string, text?: string) {
  const reason = text === "" ? "is empty" : unstorableReason(text ?? "")
  if (reason !== undefined) return yield* new UsageError({ message: `${option} ${reason}` })
})

/** `clicks keys create`. */
export const createKey = Effect.fn("createKey")(function* (
  options: Output.Format & { readonly user: string; readonly role: Role; readonly name?: string }
) {
  yield* checkText("--user", options.user)
  yield* checkText("--name", options.name)
  const { key, secret } = yield* ApiKeys.use((keys) =>
    keys.create({ user_id: options.user, role: options.role, name: options.name ?? null })
  ).pipe(Effect.provide(Database.layer))
  if (options.json) return yield* Output.json({ key, secret: Redacted.value(secret) })
  yield* Output.line(Redacted.value(secret))
  yield* Output.note(`Created ${key.role} key ${key.id}. Save the key above: it is not shown again.`)
}, Database.creating)

/** `clicks keys list`. */
export const listKeys = Effect.fn("listKeys")(function* (format: Output.Format) {
  const keys = yield* ApiKeys.use((service) => service.list).pipe(Effect.provide(Database.layer))
  yield* Output.list(format, { keys, total: keys.length }, columns, keys, countOf(keys.length, "key"))
})

/** `clicks keys revoke`. */
export const revokeKey = Effect.fn("revokeKey")(function* (id: string, format: Output.Format) {
  const key = yield* ApiKeys.use((keys) => keys.revoke(id)).pipe(
    Effect.flatMap(orNotFound("key with the id", id)),
    Effect.provide(Database.layer)
  )
  yield* Output.change(format, key, `Revoked key ${id} of ${key.user_id}`)
})
