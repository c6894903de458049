const allAddresses = ["0.0.0.0", "::"]

/** The URL of a service for a browser on this machine. */
export const serviceUrl = (host: string, port: number): string => {
  const name = allAddresses.includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}`
}
