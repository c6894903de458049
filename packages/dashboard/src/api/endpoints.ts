import type { Api } from "@clicks/http/api"
import type { Schema } from "effect"
import type { HttpApi } from "effect/http-api"

// Types only: the page contains neither the declaration of the API nor Effect. An API change that breaks the page is a type error.

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Group> ? Group : never
type EndpointsOf<Group> = Group extends { readonly endpoints: infer All } ? All[keyof All] : never
type Endpoint = EndpointsOf<Groups>

// The JSON on the wire: a date is a string, for example.
type Wire<S> =
  S extends Schema.toCodecJson<infer Declared>
    ? Declared["Encoded"]
    : S extends Schema.Top
      ? S["Encoded"]
      : never

type At<Method, Path> = Extract<Endpoint, { readonly method: Method; readonly path: Path }>

/** The paths of the endpoints with this method. */
export type PathOf<Method> = Extract<Endpoint, { readonly method: Method }>["path"]

type Declared<Path> = At<"GET", Path>["~Query"]["Type"]

/** The query parameters of an endpoint. */
export type QueryOf<Path> = [Declared<Path>] extends [never]
  ? { readonly [name in never]: string }
  : Declared<Path>

/** The JSON of a successful response. */
export type AnswerOf<Method, Path> = Wire<At<Method, Path>["~Success"]>

/** The JSON of a request body. */
export type BodyOf<Method, Path> = Wire<At<Method, Path>["~Payload"]>
