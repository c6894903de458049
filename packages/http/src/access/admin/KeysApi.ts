import { ApiKey } from "@clicks/core/access/ApiKey"
import { Role } from "@clicks/core/access/Caller"
import { unstorableReason } from "@clicks/core/values/Text"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { described } from "../../openapi/declaration.ts"
import { bodyErrors, NotFound } from "../../responses/errors.ts"
import { Admins } from "../AccessApi.ts"

const ApiKeyList = Schema.Struct({ keys: Schema.Array(ApiKey), total: Schema.Int }).annotate({
  identifier: "ApiKeyList"
})

const maxLength = 200
const name = Schema.String.check(
  Schema.makeFilter((text: string) => unstorableReason(text) ?? true),
  Schema.isMinLength(1),
  Schema.isMaxLength(maxLength)
)

/** The fields of a new key. */
export const NewKey = Schema.Struct({
  user_id: name.annotate({
    description: "User that the key belongs to; stored as user_id of clicks sent with it",
    examples: ["anna"]
  }),
  role: Schema.optionalKey(Role.annotate({ description: "Role of the key", default: "reader" })),
  name: Schema.optionalKey(Schema.NullOr(name))
}).annotate({ identifier: "NewApiKey" })

const CreatedKey = Schema.Struct({
  ...ApiKey.fields,
  secret: Schema.String.annotate({ description: "The key itself; not shown again", examples: ["clk_…"] })
}).annotate({ identifier: "CreatedApiKey" })

const path = "/api/admin/keys"

const list = HttpApiEndpoint.get("list", path, { success: ApiKeyList }).annotateMerge(
  described({
    summary: "List API keys",
    description: "Newest first, including revoked keys. Contains no secrets."
  })
)

const create = HttpApiEndpoint.post("create", path, {
  payload: NewKey,
  success: CreatedKey.pipe(HttpApiSchema.status(201)),
  error: bodyErrors
}).annotateMerge(
  described({
    summary: "Create an API key",
    description: "Returns the secret, which is not shown again: only its hash is stored."
  })
)

const revoke = HttpApiEndpoint.delete("revoke", `${path}/:id`, {
  params: { id: Schema.String.annotate({ description: "Id of the key" }) },
  success: HttpApiSchema.NoContent,
  error: NotFound
}).annotateMerge(
  described({
    summary: "Revoke an API key",
    description: "Also ends the sessions that began with the key. Revoking again changes nothing."
  })
)

/** API keys: for admins. */
export class KeysApi extends HttpApiGroup.make("keys")
  .add(list, create, revoke)
  .middleware(Admins)
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Keys of readers and admins" })) {}
