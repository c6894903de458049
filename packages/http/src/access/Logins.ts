import { hashSecret } from "@clicks/core/access/ApiKey"
import type { Role } from "@clicks/core/access/Caller"
import { SenderKeys } from "@clicks/core/access/SenderKeys"
import { type Session, Sessions } from "@clicks/core/access/Sessions"
import type { PortError } from "@clicks/core/values/PortError"
import { Context, Effect, Layer, Option, PubSub, Redacted, Stream } from "effect"
import { CredentialUnchecked, inTime } from "./Authentication.ts"

/** A person who is logged in. */
export interface Login {
  /** As in `Caller`. */
  readonly key: string
  readonly user_id: string
  readonly role: Role
  readonly expires_at: Date
}

interface NewLogin extends Login {
  readonly token: Redacted.Redacted
}

type Checked<A> = Effect.Effect<Option.Option<A>, CredentialUnchecked>

/**
 * Logins of the dashboard. All methods return nothing if the key, link or session is unknown, used, expired or revoked. They fail if the
 * check takes longer than two seconds.
 */
export class Logins extends Context.Service<
  Logins,
  {
    /** Logs in with an API key. */
    readonly withKey: (key: Redacted.Redacted) => Checked<NewLogin>
    /** Logs in with the token of a one-time link, and invalidates the link. */
    readonly withLink: (token: Redacted.Redacted) => Checked<NewLogin>
    /** The login of a session's token. */
    readonly find: (token: Redacted.Redacted) => Checked<Login>
    /** Logs out. */
    readonly end: (token: Redacted.Redacted) => Checked<unknown>
    /** Emits when a user has logged out through this process. */
    readonly ended: Stream.Stream<unknown>
  }
>()("@clicks/http/access/Logins") {}

const checked = <A>(answer: Effect.Effect<Option.Option<A>, PortError>): Checked<A> =>
  Effect.catch(inTime(answer), (error) =>
    Effect.andThen(Effect.logWarning("A session cannot be checked", error), new CredentialUnchecked())
  )

const make = Effect.fnUntraced(function* (adminKey: Redacted.Redacted | undefined) {
  const keys = yield* SenderKeys
  const sessions = yield* Sessions
  const ended = yield* PubSub.unbounded<undefined>()
  const adminHash = adminKey && (yield* hashSecret(Redacted.value(adminKey)))

  // A session may belong to the admin key of another process or of an earlier start. That key is not valid here: it has no owner.
  const ownerOf = ({ key, owner }: Pick<Session, "key" | "owner">) =>
    key === adminHash ? { user_id: "admin", role: "admin" as const } : owner

  const loginOf = (session: Session): Option.Option<Login> => {
    const owner = ownerOf(session)
    return owner === null
      ? Option.none()
      : Option.some({ ...owner, key: session.key, expires_at: session.expires_at })
  }

  const begin = Effect.fnUntraced(function* (key: string, owner: Session["owner"]) {
    const known = ownerOf({ key, owner })
    return known === null
      ? Option.none()
      : Option.some({ ...known, key, ...(yield* sessions.begin("session", key)) })
  })

  const withKey = Effect.fnUntraced(function* (key: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(key))
    if (hash === adminHash) return yield* begin(hash, null)
    const found = Option.getOrNull(yield* keys.verifyAccess(key))
    return found === null ? Option.none() : yield* begin(found.id, found)
  })

  const withLink = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const link = Option.getOrNull(yield* sessions.end("link", token))
    return link === null ? Option.none() : yield* begin(link.key, link.owner)
  })

  return Logins.of({
    withKey: (key) => checked(withKey(key)),
    withLink: (token) => checked(withLink(token)),
    find: (token) => checked(Effect.map(sessions.find(token), Option.flatMap(loginOf))),
    end: (token) =>
      Effect.tap(checked(sessions.end("session", token)), () => PubSub.publish(ended, undefined)),
    ended: Stream.fromPubSub(ended)
  })
})

/** Logins with API keys and, if given, one fixed key of an admin with the user id `admin`. */
export const layer = (
  adminKey: Redacted.Redacted | undefined
): Layer.Layer<Logins, never, SenderKeys | Sessions> => Layer.effect(Logins, make(adminKey))
