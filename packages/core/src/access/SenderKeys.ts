import { Context, type Duration, Effect, Layer, Option, PubSub, Redacted, Result, Stream } from "effect"
import { Outage } from "../Outage.ts"
import { monotonicMillis } from "../values/monotonicMillis.ts"
import { portError } from "../values/PortError.ts"
import { type ApiKey, hashSecret } from "./ApiKey.ts"
import { ApiKeys, type RevocationSignal } from "./ApiKeys.ts"

/** Verifies API keys, and remembers the valid ones so that clicks keep their user during an outage. */
export class SenderKeys extends Context.Service<
  SenderKeys,
  {
    /**
     * Only for the user id of a click. Like `ApiKeys.verify`, but during an outage, it returns remembered keys at once and fails for
     * others.
     */
    readonly verify: ApiKeys["Service"]["verify"]
    /** For granting access: like `ApiKeys.verify`, never from memory. Fails at once during an outage. */
    readonly verifyAccess: ApiKeys["Service"]["verify"]
    /** The signals of `ApiKeys.revocations` from now on. Shares the listener of this process. */
    readonly signals: Stream.Stream<RevocationSignal>
  }
>()("@clicks/core/access/SenderKeys") {}

// A lookup takes less than a millisecond; recording a click must not wait much longer for the user id.
const patience = "1 second"

// A request that needs access cannot continue without the key, so it waits longer.
const accessPatience = "2 seconds"

const maxRemembered = 10_000

// In an outage the listener's connection may break before the last answers of other connections are read.
const graceMillis = 1000

/** The keys that were verified while revocations were being received. */
class RememberedKeys {
  readonly #keys = new Map<string, ApiKey>()
  /** The time since which revocations may have been missed, in `monotonicMillis`; undefined while they are being received. */
  #deafSince: number | undefined = Number.NEGATIVE_INFINITY
  #signals = 0

  /** Changes with each signal, because it can make earlier lookups outdated. */
  get signals(): number {
    return this.#signals
  }

  heed(signal: RevocationSignal, now: number): void {
    this.#signals++
    switch (signal._tag) {
      case "Listening":
        this.#keys.clear()
        this.#deafSince = undefined
        return
      case "Deaf":
        this.#deafSince ??= now
        return
      case "Revoked":
        for (const [hash, { id }] of this.#keys) if (id === signal.id) this.#keys.delete(hash)
    }
  }

  learn(hash: string, found: Option.Option<ApiKey>, signals: number): void {
    this.#keys.delete(hash)
    if (Option.isNone(found) || this.#deafSince !== undefined || signals !== this.#signals) return
    this.#keys.set(hash, found.value)
    const oldest = this.#keys.size > maxRemembered ? this.#keys.keys().next().value : undefined
    if (oldest !== undefined) this.#keys.delete(oldest)
  }

  recall(hash: string, lastAnswer: number): Option.Option<ApiKey> {
    const mayBeOutdated = this.#deafSince !== undefined && lastAnswer > this.#deafSince + graceMillis
    return mayBeOutdated ? Option.none() : Option.fromUndefinedOr(this.#keys.get(hash))
  }
}

const make = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const outage = yield* Outage
  const remembered = new RememberedKeys()
  const received = yield* PubSub.unbounded<RevocationSignal>()

  const heed = Effect.fnUntraced(function* (signal: RevocationSignal) {
    remembered.heed(signal, yield* monotonicMillis)
    yield* PubSub.publish(received, signal)
    if (signal._tag === "Revoked") yield* Effect.logInfo(`API key ${signal.id} was revoked`)
  })
  yield* Effect.forkScoped(Stream.runForEach(keys.revocations, heed))

  type Recall = (hash: string, lastAnswer: number) => Option.Option<ApiKey>
  const verifyWith = (ask: Outage["Service"]["ask"], within: Duration.Input, recall: Recall) =>
    Effect.fnUntraced(function* (secret: Redacted.Redacted) {
      const hash = yield* hashSecret(Redacted.value(secret))
      const { signals } = remembered
      const found = yield* Effect.result(ask(keys.verify(secret), within))
      if (Result.isSuccess(found)) {
        remembered.learn(hash, found.success, signals)
        return found.success
      }
      const known = recall(hash, yield* outage.lastAnswer)
      if (Option.isSome(known)) return known
      const { failure } = found
      return yield* failure._tag === "PortError" ? failure : portError("API keys")("verify")(failure)
    })

  return SenderKeys.of({
    verify: verifyWith(outage.ask, patience, (hash, lastAnswer) => remembered.recall(hash, lastAnswer)),
    verifyAccess: verifyWith(outage.askQuietly, accessPatience, Option.none),
    signals: Stream.fromPubSub(received)
  })
})

/**
 * Looks keys up, for reading and for clicks, and remembers the valid ones. A key that is remembered was valid when the outage
 * began:
 *
 *     listening ── connection lost ──▶ deaf ── connected again: forget all ──▶ listening
 *
 * - Listening: a valid key is remembered until any process revokes it.
 * - Deaf: no key is added. Remembered keys stay valid while the database does not answer this process at all. Once it answers,
 *   a revocation may have been missed, so no remembered key is valid.
 *
 * While the database answers, each key is looked up there, not in memory.
 */
export const layer: Layer.Layer<SenderKeys, never, ApiKeys | Outage> = Layer.effect(SenderKeys, make)
