import * as OriginTrust from "@clicks/core/access/OriginTrust"
import type { TrustEffect, TrustedOrigin, TrustedOriginKind } from "@clicks/core/access/TrustedOrigin"
import { type RepeatedTrustedOrigin, TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import * as changes from "@clicks/core/access/trustedOriginChanges"
import type { InvalidInput } from "@clicks/core/values/InvalidInput"
import { Effect, Layer, Option } from "effect"
import { CommandFailed, exitCodes, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { Settings } from "../settings/Settings.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"

interface Format {
  readonly json: boolean
}

/** An entry, and what it does on a server with these settings. */
type Shown = TrustedOrigin & { readonly effect: TrustEffect }

const columns: ReadonlyArray<Column<Shown>> = [
  { title: "id", cell: (entry) => entry.id, isWhole: true },
  { title: "kind", cell: (entry) => entry.kind },
  { title: "value", cell: (entry) => entry.value, isWhole: true },
  { title: "effect", cell: (entry) => (entry.enabled ? entry.effect : "disabled") },
  { title: "name", cell: (entry) => entry.name ?? "" }
]

const layer = Layer.unwrap(
  Effect.map(Settings, ({ trustOriginHeader }) => OriginTrust.layer({ trustOriginHeader }))
).pipe(Layer.provideMerge(Database.layer))

const shownOf = ({ created_at, updated_at, ...entry }: TrustedOrigin) =>
  OriginTrust.OriginTrust.useSync(
    ({ effectOf }): Shown => ({ ...entry, effect: effectOf(entry.kind), created_at, updated_at })
  )

// What is wrong with an entry is the person's to mend; that its value is there already, a state of the list.
const orRefused = Effect.catchTags({
  InvalidInput: ({ message }: InvalidInput) => Effect.fail(new UsageError({ message })),
  RepeatedTrustedOrigin: ({ message }: RepeatedTrustedOrigin) => Effect.fail(new CommandFailed({ message }))
})

/** What a value is, when nobody says: an address when it looks like one. */
export const kindOf = (value: string): TrustedOriginKind => {
  if (value.startsWith("*")) return "pattern"
  // Refused as one, with a sentence that helps.
  if (value.includes("://")) return "domain"
  return value.includes(":") || /^[\d./]+$/.test(value) ? "address" : "domain"
}

const show = Effect.fnUntraced(function* (entry: Shown, json: boolean, what: string) {
  if (json) yield* Output.json(entry)
  else yield* Output.note(`${entry.kind} ${entry.value} ${what} (${entry.id})`)
  return exitCodes.done
})

const found = (id: string) => (entry: Option.Option<TrustedOrigin>) =>
  Option.match(entry, {
    onNone: () => Effect.fail(new CommandFailed({ message: `There is no trusted origin with the id ${id}` })),
    onSome: shownOf
  })

/** `clicks origins list`. */
export const listOrigins = Effect.fn("listOrigins")(function* ({ json }: Format) {
  const entries = yield* TrustedOrigins.use((origins) => origins.list).pipe(
    Effect.flatMap((list) => Effect.forEach(list, shownOf)),
    Effect.provide(layer)
  )
  if (json) yield* Output.json({ trusted_origins: entries, total: entries.length })
  else {
    if (entries.length > 0) yield* Output.line(table(columns, entries, Output.width()))
    yield* Output.footer(countOf(entries.length, "trusted origin"))
  }
  return exitCodes.done
})

/** `clicks origins add`. */
export const addOrigin = Effect.fn("addOrigin")(function* (
  value: string,
  options: Format & {
    readonly kind?: TrustedOriginKind
    readonly name?: string
    readonly allowEveryone: boolean
    readonly disabled: boolean
  }
) {
  const { allowEveryone, disabled, kind = kindOf(value), name } = options
  const entry = yield* changes
    .add({ kind, value, name, enabled: !disabled, allow_everyone: allowEveryone })
    .pipe(orRefused, Effect.flatMap(shownOf), Effect.provide(layer))
  return yield* show(entry, options.json, "added")
})

/** `clicks origins update`. */
export const updateOrigin = Effect.fn("updateOrigin")(function* (
  id: string,
  options: Format & {
    readonly kind?: TrustedOriginKind
    readonly value?: string
    readonly name?: string
    readonly allowEveryone?: true
    readonly enable?: true
    readonly disable?: true
  }
) {
  const { allowEveryone, disable, enable, json, kind, name, value } = options
  const enabled = enable ?? (disable === true ? false : undefined)
  const entry = yield* changes
    .update(id, { kind, value, name, enabled, allow_everyone: allowEveryone })
    .pipe(orRefused, Effect.flatMap(found(id)), Effect.provide(layer))
  return yield* show(entry, json, "updated")
})

/** `clicks origins remove`. */
export const removeOrigin = Effect.fn("removeOrigin")(function* (id: string, { json }: Format) {
  const entry = yield* changes.remove(id).pipe(Effect.flatMap(found(id)), Effect.provide(layer))
  return yield* show(entry, json, "removed")
})
