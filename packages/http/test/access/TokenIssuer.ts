import { createServer, type ServerResponse } from "node:http"
import { Effect } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

export const signWith = (
  key: Parameters<SignJWT["sign"]>[0],
  header: { readonly alg: string; readonly kid?: string },
  claims: Record<string, unknown>
) => Effect.promise(() => new SignJWT(claims).setProtectedHeader(header).sign(key))

/** A pair of keys whose id is the name of the algorithm. */
export const keyPair = (alg: string) =>
  Effect.promise(async () => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
    return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid: alg, alg } }
  })

/** An issuer that responds like this and counts requests. */
export const issuerAnswering = Effect.fnUntraced(function* (answer: (response: ServerResponse) => void) {
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    answer(response)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { url: new URL(`http://127.0.0.1:${port}/jwks.json`), asked: () => asked }
})

/** An issuer that publishes these keys. */
export const issuer = (keys: () => ReadonlyArray<object>) =>
  issuerAnswering((response) =>
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: keys() }))
  )
