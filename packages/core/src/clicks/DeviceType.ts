import { Schema } from "effect"
import { deviceTypes } from "./ClickFilter.ts"

/** What kind of device a click came from. */
export const DeviceType = Schema.Literals(deviceTypes)
export type DeviceType = typeof DeviceType.Type

const mobile = /mobile|android|iphone|ipad|ipod|blackberry|windows phone/
const tablet = /ipad|tablet/

/**
 * Rule D: desktop by default; mobile when the lower-cased user agent names a mobile device; within that, tablet when it
 * names an iPad or a tablet. A missing user agent is a desktop.
 */
export const fromUserAgent = (userAgent: string | null): DeviceType => {
  if (userAgent === null) return "desktop"
  const lower = userAgent.toLowerCase()
  if (!mobile.test(lower)) return "desktop"
  return tablet.test(lower) ? "tablet" : "mobile"
}
