const allAddresses = ["0.0.0.0", "::"]

/** The URL of a service for programs on this machine. */
export const serviceUrl = ({ host, port }: { readonly host: string; readonly port: number }): string => {
  const name = allAddresses.includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Whether Clicks responds at a URL within five seconds. */
export const isRunning = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(5000) })
    const body: unknown = await response.json()
    return typeof body === "object" && body !== null && "status" in body && body.status === "ok"
  } catch {
    return false
  }
}
