import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import * as ClickLink from "@clicks/core/clicks/links/ClickLink"
import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import { parseHttpUrl } from "@clicks/core/values/HttpUrl"
import { quote } from "@clicks/core/values/InvalidInput"
import { hmac } from "@clicks/core/values/WebCrypto"
import { Effect } from "effect"
import { defined, orUsageError, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { serviceUrl } from "../service/serviceUrl.ts"
import { Settings } from "../settings/Settings.ts"
import * as Output from "../terminal/Output.ts"

interface CreateOptions extends Output.Format {
  readonly to: string
  readonly product: string
  readonly campaign?: string
  readonly store?: string
  readonly brand?: string
  readonly action: ClickAction
  readonly source: string
  readonly base?: string
}

const aboutOption = (sentence: string): string =>
  sentence
    .replace("The destination must", "--to must")
    .replace(/^(product|campaign|store|brand|source)(?:_id)?\b/, "--$1")

const toLink = ({ action, brand, campaign, product, source, store, to }: CreateOptions) => {
  const ids = { product_id: product, store_id: store, brand_id: brand, campaign_id: campaign }
  return { to, action, source, ...defined(ids) } as ClickLink.ClickLink
}

/** The URL that the link begins with, without a slash at the end. */
const baseOf = Effect.fnUntraced(function* (given: string | undefined) {
  const base = parseHttpUrl(given ?? serviceUrl(yield* Settings))
  if (base === undefined || base.search !== "" || base.href.includes("#")) {
    return yield* new UsageError({
      message: `--base must be an http or https URL without a query, such as https://clicks.example; it is ${quote(given ?? "")}`
    })
  }
  return base.href.replace(/\/+$/, "")
})

/** `clicks links create`. */
export const createLink = Effect.fn("createLink")(function* (options: CreateOptions) {
  const link = yield* orUsageError(ClickLink.parse(toLink(options)), aboutOption)
  const base = yield* baseOf(options.base)
  const secret = yield* LinkSecret.use(({ get }) => get).pipe(Effect.provide(Database.layer))
  const token = yield* Effect.promise(async () => ClickLink.toToken(link, await hmac(secret)))
  const url = `${base}/r/${yield* orUsageError(token, aboutOption)}`
  yield* options.json ? Output.json({ url, ...link }) : Output.line(url)
})
