/** The settings that the environment gives, with what each takes. Kept without imports: `--help` shows it. */
export const settingTexts = {
  DATABASE_URL: "postgres://user:password@host:port/database; without it, the embedded PostgreSQL",
  CLICKS_DATA_DIR: "folder of the embedded PostgreSQL; by default .clicks in this folder or one above it",
  CLICKS_SPOOL_MAX_BYTES:
    "how much disk the spool may take: bytes, or such as 512MB or 2GiB; at least 1MiB (default 1GiB)",
  CLICKS_RETENTION_DAYS:
    "after how many days clicks are deleted: a whole number from 1 to 36500; without it, never",
  PORT: "a port from 0 to 65535 (default 3000; 0 takes a free one)",
  CLICKS_PROCESS_PORT:
    "a second port, from 0 to 65535, that this process never shares: for its metrics and health checks",
  HOST: "an address or host name to listen on (default 127.0.0.1; 0.0.0.0 is all of IPv4)",
  CLICKS_MAX_CONNECTIONS: "a whole number, 1 or more (default 2000): HTTP connections at once",
  MAX_CONCURRENT_TASKS: "a whole number, 1 or more (default 5)",
  CLICKS_ADMIN_KEY: "a key to accept as admin, at least 16 characters without spaces; it is never stored",
  CLICKS_JWT_SECRET: "the secret of the issuer of JSON Web Tokens (HS256), at least 32 characters",
  CLICKS_JWKS_URL: "the http or https address of the keys of the issuer of JSON Web Tokens",
  CLICKS_JWT_AUDIENCE:
    "the aud that JSON Web Tokens must have; required with CLICKS_JWKS_URL, where * accepts any",
  CLICKS_JWT_ISSUER: "the iss that JSON Web Tokens must have, as it stands in them",
  CLICKS_HOSTS:
    "host names and addresses of this service, with or without a port, separated by commas, such as clicks.example,10.0.0.5:3000",
  CLICKS_TRUSTED_PROXIES: "addresses and CIDR ranges, separated by commas, such as 10.0.0.0/8,::1",
  CLICKS_TRUST_ANY_PROXY:
    "true or false (default false): whether CLICKS_TRUSTED_PROXIES may contain every address",
  CLICKS_TRUST_ORIGIN_HEADER: "true or false (default false)",
  CLICKS_CORS_ORIGINS:
    "* (the default: any), or whole origins such as https://shop.example, separated by commas, without wildcards",
  CLICKS_METRICS_PUBLIC: "true or false (default false)",
  CLICKS_DISCOVERY_URL: "an http or https address with {state} in it",
  CLICKS_CRAWL_ALLOW_PRIVATE:
    "true or false (default false): whether menus may be fetched from private networks",
  LOG_LEVEL: "all, trace, debug, info, warn, error, fatal or none",
  LOG_FORMAT: "pretty, json or logfmt"
} as const

export type SettingName = keyof typeof settingTexts
