import { HttpServerResponse } from "effect/http"
import { apiHeaders } from "./apiResponse.ts"

/** A page for users who follow an invalid link. */
export const page = (
  status: number,
  title: string,
  text: string,
  headers: Readonly<Record<string, string>> = {}
) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        ...apiHeaders,
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        ...headers
      }
    }
  )

/** The page for an invalid link. */
export const invalidLink = page(
  404,
  "This link is not valid",
  "It may have been cut off or changed. Copy the whole link, or ask its sender for a new one."
)
