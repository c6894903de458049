import * as OriginTrust from "@clicks/core/access/OriginTrust"
import type { TrustEffect, TrustedOrigin, TrustedOriginKind } from "@clicks/core/access/TrustedOrigin"
import { TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import * as changes from "@clicks/core/access/trustedOriginChanges"
import { Effect, Layer } from "effect"
import { CommandFailed, orNotFound, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { withSettings } from "../settings/Settings.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import type { Column } from "../terminal/Table.ts"

/** An entry and its effect on a server with the current settings. */
type Shown = TrustedOrigin & { readonly effect: TrustEffect }

const effects = { bypass: "reads without a key", cors: "reads cross-origin with a key" } as const

const columns: ReadonlyArray<Column<Shown>> = [
  { title: "id", cell: (entry) => entry.id, isWhole: true },
  { title: "kind", cell: (entry) => entry.kind },
  { title: "value", cell: (entry) => entry.value, isWhole: true },
  { title: "effect", cell: (entry) => (entry.enabled ? effects[entry.effect] : "disabled") },
  { title: "name", cell: (entry) => entry.name ?? "", isOptional: true }
]

const layer = withSettings(OriginTrust.layer).pipe(Layer.provideMerge(Database.layer))

const withEffect = ({ created_at, updated_at, ...entry }: TrustedOrigin) =>
  OriginTrust.OriginTrust.useSync(
    ({ effectOf }): Shown => ({ ...entry, effect: effectOf(entry.kind), created_at, updated_at })
  )

const refused = {
  InvalidInput: ({ message }: Error) => Effect.fail(new UsageError({ message })),
  RepeatedTrustedOrigin: ({ message }: Error) => Effect.fail(new CommandFailed({ message }))
}

/** Detects the kind of a value if `--kind` is omitted. */
export const kindOf = (value: string): TrustedOriginKind => {
  if (value.startsWith("*")) return "pattern"
  // Core rejects it as a domain, with a helpful message.
  if (value.includes("://")) return "domain"
  return value.includes(":") || /^[\d./]+$/.test(value) ? "address" : "domain"
}

/** Makes a change and prints the entry. */
const change = Effect.fnUntraced(function* <E, R>(
  format: Output.Format,
  what: string,
  changed: Effect.Effect<TrustedOrigin, E, R>
) {
  const entry = yield* changed.pipe(Effect.flatMap(withEffect), Effect.provide(layer))
  yield* Output.change(format, entry, `${entry.kind} ${entry.value} ${what} (${entry.id})`)
})

const orUnknown = (id: string) => orNotFound("trusted origin with the id", id)

/** `clicks origins list`. */
export const listOrigins = Effect.fn("listOrigins")(function* (format: Output.Format) {
  const entries = yield* TrustedOrigins.use((origins) => origins.list).pipe(
    Effect.flatMap((list) => Effect.forEach(list, withEffect)),
    Effect.provide(layer)
  )
  const answer = { trusted_origins: entries, total: entries.length }
  yield* Output.list(format, answer, columns, entries, countOf(entries.length, "trusted origin"))
})

interface EntryOptions extends Output.Format {
  readonly kind?: TrustedOriginKind
  readonly name?: string
  readonly allowEveryone?: true
}

/** `clicks origins add`. */
export const addOrigin = Effect.fn("addOrigin")(
  (value: string, options: EntryOptions & { readonly disabled?: true }) => {
    const { allowEveryone: allow_everyone, disabled, kind = kindOf(value), name } = options
    const added = changes.add({ kind, value, name, enabled: !disabled, allow_everyone })
    return change(options, "added", Effect.catchTags(added, refused))
  }
)

interface UpdateOptions extends EntryOptions {
  readonly value?: string
  readonly enable?: true
  readonly disable?: true
}

/** `clicks origins update`. */
export const updateOrigin = Effect.fn("updateOrigin")((id: string, options: UpdateOptions) => {
  const { allowEveryone: allow_everyone, disable, enable, kind, name, value } = options
  const enabled = enable ?? (disable === true ? false : undefined)
  const updated = changes.update(id, { kind, value, name, enabled, allow_everyone })
  return change(options, "updated", updated.pipe(Effect.catchTags(refused), Effect.flatMap(orUnknown(id))))
})

/** `clicks origins remove`. */
export const removeOrigin = Effect.fn("removeOrigin")((id: string, format: Output.Format) =>
  change(format, "removed", Effect.flatMap(changes.remove(id), orUnknown(id)))
)
