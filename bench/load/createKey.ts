import { createHash, randomBytes } from "node:crypto"
import { query } from "../processes/PostgresServer.ts"

/** Adds a key of this user, with the role reader, to the database at `url`. */
export const createKey = async (url: string, user: string): Promise<string> => {
  const key = `clk_${randomBytes(32).toString("base64url")}`
  const hash = createHash("sha256").update(key).digest("hex")
  await query(
    url,
    `insert into api_keys (id, secret_hash, user_id, role, created_at)
     values (gen_random_uuid(), '${hash}', '${user}', 'reader', now())`
  )
  return key
}
