/** What each setting accepts. Shown by `--help` and, after "Expected", in errors. No imports: `--help` must load fast. */
export const settingTexts = {
  DATABASE_URL: "postgres://user:password@host:port/database (default: the embedded PostgreSQL)",
  CLICKS_DATA_DIR: "folder for local data (default: .clicks in this folder or the nearest one above it)",
  CLICKS_SPOOL_MAX_BYTES:
    "disk space for the spool, at least 1MiB: bytes, or a size such as 512MB or 2GiB (default 1GiB)",
  CLICKS_RETENTION_DAYS: "1 to 36500: days after which clicks are deleted (default: never)",
  CLICKHOUSE_URL: "http://user:password@host:8123/database: ClickHouse for older clicks (default: none)",
  CLICKHOUSE_CLUSTER:
    "name of the ClickHouse cluster whose servers all hold the older clicks (default: one server)",
  PORT: "0 to 65535 (default 3000; 0 picks a free port)",
  CLICKS_PROCESS_PORT: "0 to 65535: second port for metrics and health of this process, never shared",
  HOST: "address or host name to listen on (default 127.0.0.1; 0.0.0.0 for all IPv4 addresses)",
  CLICKS_MAX_CONNECTIONS: "1 to 1000000: maximum open HTTP connections (default 2000)",
  CLICKS_PLAIN_CONNECTIONS: "true or false: read single clicks without Node's HTTP parser (default true)",
  MAX_CONCURRENT_TASKS: "1 or more: maximum tasks at once (default 5)",
  CLICKS_ADMIN_KEY: "at least 16 characters, no spaces: additional admin key, never stored",
  CLICKS_JWT_SECRET: "at least 32 characters: secret for verifying JSON Web Tokens (HS256)",
  CLICKS_JWKS_URL: "http or https URL of the key set for verifying JSON Web Tokens",
  CLICKS_JWT_AUDIENCE:
    "text without spaces: required aud claim of JSON Web Tokens; mandatory with CLICKS_JWKS_URL, where * accepts any audience",
  CLICKS_JWT_ISSUER: "text without spaces: required iss claim of JSON Web Tokens",
  CLICKS_HOSTS:
    "comma-separated host names and addresses of this service, with or without a port, such as clicks.example,10.0.0.5:3000",
  CLICKS_TRUSTED_PROXIES: "comma-separated addresses and CIDR ranges, such as 10.0.0.0/8,::1",
  CLICKS_TRUST_ANY_PROXY:
    "true or false: allow ranges that are wider, alone or together, than /8 (IPv4) or /16 (IPv6) in CLICKS_TRUSTED_PROXIES (default false)",
  CLICKS_TRUST_ORIGIN_HEADER:
    "true or false: grant read access by Origin header, which clients can forge (default false)",
  CLICKS_CORS_ORIGINS:
    "* for any, or comma-separated origins such as https://shop.example, no wildcards (default *)",
  CLICKS_SHARE_FRAMES:
    "* for any, or comma-separated origins whose pages may show share links in a frame, such as https://intranet.example (default none)",
  CLICKS_METRICS_PUBLIC: "true or false: serve /metrics without authentication (default false)",
  CLICKS_DISCOVERY_URL: "http or https URL of the store directory, with {state} in it",
  CLICKS_CRAWL_ALLOW_PRIVATE:
    "true or false: allow menus to be fetched from private networks (default false)",
  LOG_LEVEL: "all, trace, debug, info, warn, error, fatal or none",
  LOG_FORMAT: "pretty, json or logfmt"
} as const

export type SettingName = keyof typeof settingTexts
