/**
 * The part of the Web Crypto API that core uses. All supported runtimes (browsers, edge functions, Node 20 and newer) have it as a global.
 * It is declared here because core compiles without the types of any runtime.
 */
interface WebCrypto {
  readonly getRandomValues: (bytes: Uint8Array) => Uint8Array
  readonly subtle: {
    readonly digest: (algorithm: "SHA-256", data: Uint8Array) => Promise<ArrayBuffer>
    readonly importKey: (
      format: "raw",
      key: Uint8Array,
      algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" },
      isExtractable: false,
      usages: ReadonlyArray<"sign" | "verify">
    ) => Promise<CryptoKey>
    readonly sign: (algorithm: "HMAC", key: CryptoKey, data: Uint8Array) => Promise<ArrayBuffer>
    readonly verify: (
      algorithm: "HMAC",
      key: CryptoKey,
      signature: Uint8Array,
      data: Uint8Array
    ) => Promise<boolean>
  }
}

interface CryptoKey {
  readonly type: string
}

declare const crypto: WebCrypto
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const encoder = new TextEncoder()

/** The UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** `size` random bytes from the runtime's cryptographically secure generator. */
export const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size))

/** The SHA-256 digest (32 bytes) of a text's UTF-8 form. */
export const sha256 = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text)))

/** HMAC-SHA256 with one secret. */
export interface Hmac {
  readonly sign: (text: string) => Promise<Uint8Array>
  /** Compares in constant time. */
  readonly verify: (text: string, signature: Uint8Array) => Promise<boolean>
}

export const hmac = async (secret: Uint8Array): Promise<Hmac> => {
  const { subtle } = crypto
  const key = await subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify"
  ])
  return {
    sign: async (text) => new Uint8Array(await subtle.sign("HMAC", key, utf8(text))),
    verify: (text, signature) => subtle.verify("HMAC", key, signature, utf8(text))
  }
}
