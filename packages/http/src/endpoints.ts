import { HttpApi } from "effect/http-api"
import { metricsPath, Readers, Viewers } from "./access/AccessApi.ts"
import { Api } from "./api.ts"
import * as TrackingScript from "./clicks/recording/TrackingScript.ts"

/** A method and the paths that the service answers with it. */
export interface Endpoint {
  readonly method: string
  readonly pattern: RegExp
  /** Whether pages of trusted origins can read it. */
  readonly isReadable: boolean
}

const endpointOf = (method: string, path: string, isReadable = false): Endpoint => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
  isReadable
})

/** All endpoints: pages, documentation and the declared API. */
export const endpoints = (): ReadonlyArray<Endpoint> => {
  const docs = ["/openapi.json", "/docs", "/favicon.svg", "/favicon.ico"]
  const pages = ["/", "/share/:token", "/assets/:name", ...TrackingScript.paths, ...docs]
  const found = pages.map((path) => endpointOf("GET", path))
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path }, middleware }) => {
      const guards: ReadonlySet<unknown> = middleware
      const isReadable = (guards.has(Readers) && path !== metricsPath) || guards.has(Viewers)
      found.push(endpointOf(method, path, method === "GET" && isReadable))
    }
  })
  return found
}
