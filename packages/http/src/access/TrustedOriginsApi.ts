import { TrustEffect, TrustedOrigin, TrustedOriginKind } from "@clicks/core/access/TrustedOrigin"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { bodyErrors, Conflict, FailureMessage, InternalFailure, NotFound } from "../errors.ts"
import { Admins } from "./AccessApi.ts"

const { created_at, updated_at, ...fields } = TrustedOrigin.fields

/** An entry, and what it does on this server. */
export const TrustedOriginAnswer = Schema.Struct({
  ...fields,
  effect: TrustEffect.annotate({
    description:
      "What the entry does on this server while it is enabled. bypass: who matches reads without a credential. cors: pages of matching origins may read answers across origins, with a credential. Addresses bypass; domains and patterns only where the server is told to trust Origin headers"
  }),
  created_at,
  updated_at
}).annotate({ identifier: "TrustedOrigin" })

const TrustedOriginList = Schema.Struct({
  trusted_origins: Schema.Array(TrustedOriginAnswer),
  total: Schema.Int
}).annotate({ identifier: "TrustedOriginList" })

const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(schema)

const input = {
  kind: TrustedOriginKind.annotate({
    description: "What the client is compared with: its address, or the host of its Origin header"
  }),
  value: Schema.String.annotate({
    description:
      "address: an IP address or a CIDR range. domain: a host name. pattern: *. and a host name; the star stands for exactly one label",
    examples: ["10.0.0.0/8", "shop.example.com", "*.example.com"]
  }),
  name: optional(Schema.NullOr(Schema.String.check(Schema.isMaxLength(200)))),
  enabled: optional(Schema.Boolean.annotate({ description: "Whether it has an effect", default: true })),
  allow_everyone: optional(
    Schema.Boolean.annotate({
      description: "Required to be true for a range of all addresses (0.0.0.0/0, ::/0); not stored",
      default: false
    })
  )
}

/** The fields of a new entry. */
export const NewTrustedOrigin = Schema.Struct(input).annotate({ identifier: "NewTrustedOrigin" })

/** The fields of an entry that a change may give. */
export const TrustedOriginChange = Schema.Struct({
  ...input,
  kind: optional(input.kind),
  value: optional(input.value)
}).annotate({ identifier: "TrustedOriginChange", description: "What is left out stays as it is" })

const path = "/api/admin/trusted-origins"
const params = { id: Schema.String.annotate({ description: "The entry's id" }) }

const list = HttpApiEndpoint.get("list", path, {
  success: TrustedOriginList,
  error: InternalFailure
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to fetch the trusted origins")
  .annotateMerge(OpenApi.annotations({ summary: "List trusted origins", description: "All, newest first." }))

const add = HttpApiEndpoint.post("add", path, {
  payload: NewTrustedOrigin,
  success: TrustedOriginAnswer.pipe(HttpApiSchema.status(201)),
  error: [...bodyErrors, Conflict, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to add the trusted origin")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Add a trusted origin",
      description:
        "It counts at once on the server that is asked, on others within five minutes. No entry ever gives the role admin. Values are kept in their normal form, and one that is there already is a conflict."
    })
  )

const update = HttpApiEndpoint.put("update", `${path}/:id`, {
  params,
  payload: TrustedOriginChange,
  success: TrustedOriginAnswer,
  error: [...bodyErrors, NotFound, Conflict, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to change the trusted origin")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a trusted origin",
      description: "Fields that are left out stay as they are. Counts as soon as a new entry does."
    })
  )

const remove = HttpApiEndpoint.delete("remove", `${path}/:id`, {
  params,
  success: HttpApiSchema.NoContent,
  error: [NotFound, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to remove the trusted origin")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Remove a trusted origin",
      description: "Takes effect as soon as a new entry does."
    })
  )

/** Who is trusted without a credential: for admins. */
export class TrustedOriginsApi extends HttpApiGroup.make("trustedOrigins")
  .add(list, add, update, remove)
  .annotateMerge(
    OpenApi.annotations({ title: "Trusted origins", description: "Who is trusted without a credential" })
  ) {}
