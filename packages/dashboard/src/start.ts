// Runs the script of the page after the first paint of its frame, which the script would delay on a phone.

/** Missing in TypeScript's library. The page's Content Security Policy only accepts script URLs that are created with it. */
declare const trustedTypes:
  | {
      readonly createPolicy: (
        name: string,
        rules: { readonly createScriptURL: (url: string) => string }
      ) => { readonly createScriptURL: (url: string) => string }
    }
  | undefined

const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("start", { createScriptURL: (url) => url })

const run = (): void => {
  const preload = document.querySelector<HTMLLinkElement>("link[as=script]")
  const script = document.createElement("script")
  const url = preload?.href ?? ""
  script.src = policy?.createScriptURL(url) ?? url
  document.head.append(script)
}

// A hidden page is not painted, nor one whose style sheet is late.
const painted = new Promise<void>((resolve) => {
  if (document.hidden) resolve()
  new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true })
  setTimeout(resolve, 500)
})
painted.then(run)
