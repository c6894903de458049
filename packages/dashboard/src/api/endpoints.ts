import type { Api } from "@clicks/http/api"
import type { Schema } from "effect"
import type { HttpApi } from "effect/http-api"

// Types only: the page contains neither the declaration of the API nor Effect. A change of the API that breaks the page fails its types.

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Group> ? Group : never
type EndpointsOf<Group> = Group extends { readonly endpoints: infer All } ? All[keyof All] : never
type Endpoint = EndpointsOf<Groups>

// What is on the wire: the JSON that the schema reads, such as the text of a date.
type Wire<S> =
  S extends Schema.toCodecJson<infer Declared>
    ? Declared["Encoded"]
    : S extends Schema.Top
      ? S["Encoded"]
      : never

type At<Method, Path> = Extract<Endpoint, { readonly method: Method; readonly path: Path }>

/** The paths that take this method. */
export type PathOf<Method> = Extract<Endpoint, { readonly method: Method }>["path"]

type Declared<Path> = At<"GET", Path>["~Query"]["Type"]

/** The query parameters of an endpoint. */
export type QueryOf<Path> = [Declared<Path>] extends [never]
  ? { readonly [name in never]: string }
  : Declared<Path>

/** The JSON that an endpoint answers. */
export type AnswerOf<Method, Path> = Wire<At<Method, Path>["~Success"]>

/** The JSON that an endpoint takes. */
export type BodyOf<Method, Path> = Wire<At<Method, Path>["~Payload"]>
