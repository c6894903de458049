import { Effect, Record, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./api.ts"

export interface ClientOptions {
  /** The URL of the service, such as `https://clicks.example`. A page on the same origin can omit it. */
  readonly baseUrl?: string | URL | undefined
  /** An API key or a JSON Web Token. Recording needs none. */
  readonly key?: string | undefined
}

type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : object extends Value
    ? { readonly [_ in Name]?: Value }
    : { readonly [_ in Name]: Value }

type Request<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Part<
  "params",
  Endpoint["~Params"]["Type"]
> &
  Part<"query", Endpoint["~Query"]["Type"]> &
  Part<"headers", Endpoint["~Headers"]["Type"]> &
  Part<"payload", Endpoint["~Payload"]["Type"]>

type Returned<Endpoint extends HttpApiEndpoint.ConstraintRequest> = HttpApiClient.Client.MethodReturn<
  Endpoint,
  never,
  never,
  "decoded-only",
  never
>

type EffectMethod<Endpoint> = Endpoint extends HttpApiEndpoint.ConstraintRequest
  ? object extends Request<Endpoint>
    ? (request?: Request<Endpoint>) => Returned<Endpoint>
    : (request: Request<Endpoint>) => Returned<Endpoint>
  : never

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer G> ? G : never
type Endpoints<Name extends string> = HttpApiGroup.WithIdentifier<Groups, Name>["endpoints"]

/** A method for each endpoint, by group: `client.recording.record({ payload })`. Fails with the errors in `@clicks/http/errors`. */
export type EffectClient = {
  readonly [Name in HttpApiGroup.Identifier<Groups>]: {
    readonly [Key in keyof Endpoints<Name>]: EffectMethod<Endpoints<Name>[Key]>
  }
}

type Plain<Value> =
  Value extends Stream.Stream<infer Piece, infer _E, infer _R> ? ReadableStream<Piece> : Value

type PromiseMethod<Method> = Method extends (
  ...request: infer Request
) => Effect.Effect<infer Value, infer _E, infer _R>
  ? (...request: Request) => Promise<Plain<Value>>
  : never

/** The same with promises, which reject with the errors in `@clicks/http/errors`. A stream is a `ReadableStream`. */
export type Client = {
  readonly [Name in keyof EffectClient]: {
    readonly [Key in keyof EffectClient[Name]]: PromiseMethod<EffectClient[Name][Key]>
  }
}

type Method<Result> = (request?: object) => Result
type Methods<Result> = Readonly<Record<string, Readonly<Record<string, Method<Result>>>>>
type Running = Effect.Effect<unknown, unknown>

const mapMethods = <A, B>(methods: Methods<A>, change: (method: Method<A>) => Method<B>): Methods<B> =>
  Record.map(methods, (group) => Record.map(group, change))

// The API's errors have their text in `error`, but logs show `message`.
const withMessage = (failure: unknown): unknown =>
  failure instanceof Error && failure.message === "" && "error" in failure
    ? Object.defineProperty(failure, "message", { value: failure.error })
    : failure

// The derived client requires each part that an endpoint declares, even if all of its fields are optional.
const withOptionalParts =
  (method: Method<Running>): Method<Running> =>
  (request) =>
    Effect.mapError(method({ headers: {}, query: {}, ...request }), withMessage)

const asPromise =
  (method: Method<Running>): Method<Promise<unknown>> =>
  async (request) => {
    const value = await Effect.runPromise(method(request))
    return Stream.isStream(value) ? Stream.toReadableStream(value as Stream.Stream<unknown>) : value
  }

/** Creates a client for services that use Effect. */
export const make = ({
  baseUrl,
  key
}: ClientOptions): Effect.Effect<EffectClient, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, {
    baseUrl,
    ...(key !== undefined && { transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(key)) })
  }).pipe(Effect.map((client) => mapMethods(client as never, withOptionalParts) as never))

/** Creates a client that uses `fetch`, for browsers and for Node. */
export const connect = (options: ClientOptions): Client => {
  const client = Effect.runSync(make(options).pipe(Effect.provide(FetchHttpClient.layer)))
  return mapMethods(client as never, asPromise) as never
}
