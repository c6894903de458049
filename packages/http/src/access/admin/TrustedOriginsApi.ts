import { TrustEffect, TrustedOrigin, TrustedOriginKind } from "@clicks/core/access/TrustedOrigin"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { described } from "../../openapi/declaration.ts"
import { bodyErrors, Conflict, NotFound } from "../../responses/errors.ts"
import { Admins } from "../AccessApi.ts"

const { created_at, updated_at, ...fields } = TrustedOrigin.fields

/** An entry and its effect on this server. */
export const TrustedOriginAnswer = Schema.Struct({
  ...fields,
  effect: TrustEffect.annotate({
    description:
      "Effect on this server while enabled. bypass: matching clients read without a credential. cors: pages of matching origins can read cross-origin with a credential. Addresses always bypass; domains and patterns only if CLICKS_TRUST_ORIGIN_HEADER is true"
  }),
  created_at,
  updated_at
}).annotate({ identifier: "TrustedOrigin" })

const TrustedOriginList = Schema.Struct({
  trusted_origins: Schema.Array(TrustedOriginAnswer),
  total: Schema.Int
}).annotate({ identifier: "TrustedOriginList" })

const input = {
  kind: TrustedOriginKind.annotate({
    description: "What the value matches: the client address, or the host of the Origin header"
  }),
  value: Schema.String.annotate({
    description:
      "address: IP address or CIDR range. domain: host name. pattern: *.<host name>; the star matches exactly one label",
    examples: ["10.0.0.0/8", "shop.example.com", "*.example.com"]
  }),
  name: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(200)))),
  enabled: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether the entry has an effect", default: true })
  ),
  allow_everyone: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Must be true to add a range wider than /8 (IPv4) or /16 (public IPv6); not stored",
      default: false
    })
  )
}

/** The fields of a new entry. */
export const NewTrustedOrigin = Schema.Struct(input).annotate({ identifier: "NewTrustedOrigin" })

/** The fields of an entry that a request can change. */
export const TrustedOriginChange = Schema.Struct({
  ...input,
  kind: Schema.optionalKey(input.kind),
  value: Schema.optionalKey(input.value)
}).annotate({ identifier: "TrustedOriginChange", description: "Omitted fields keep their values" })

const path = "/api/admin/trusted-origins"
const params = { id: Schema.String.annotate({ description: "Id of the entry" }) }

const list = HttpApiEndpoint.get("list", path, { success: TrustedOriginList }).annotateMerge(
  described({
    summary: "List trusted origins",
    description: "Newest first."
  })
)

const add = HttpApiEndpoint.post("add", path, {
  payload: NewTrustedOrigin,
  success: TrustedOriginAnswer.pipe(HttpApiSchema.status(201)),
  error: [...bodyErrors, Conflict]
}).annotateMerge(
  described({
    summary: "Add a trusted origin",
    description:
      "Takes effect immediately on this server, within five minutes on others. Entries never grant the role admin. Values are normalised; a duplicate returns 409."
  })
)

const update = HttpApiEndpoint.put("update", `${path}/:id`, {
  params,
  payload: TrustedOriginChange,
  success: TrustedOriginAnswer,
  error: [...bodyErrors, NotFound, Conflict]
}).annotateMerge(
  described({
    summary: "Update a trusted origin",
    description:
      "Omitted fields keep their values. Takes effect immediately on this server, within five minutes on others."
  })
)

const remove = HttpApiEndpoint.delete("remove", `${path}/:id`, {
  params,
  success: HttpApiSchema.NoContent,
  error: NotFound
}).annotateMerge(
  described({
    summary: "Remove a trusted origin",
    description: "Takes effect immediately on this server, within five minutes on others."
  })
)

/** Addresses and domains whose clients can read without a credential or cross-origin: for admins. */
export class TrustedOriginsApi extends HttpApiGroup.make("trustedOrigins")
  .add(list, add, update, remove)
  .middleware(Admins)
  .annotateMerge(
    OpenApi.annotations({
      title: "Trusted origins",
      description: "Addresses and domains whose clients can read without a credential or cross-origin"
    })
  ) {}
