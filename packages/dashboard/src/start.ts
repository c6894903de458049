// Runs the script of the page once its frame has been painted: on a phone, the script would hold that up.

/** Not in TypeScript's library. The policy of the page requires that a URL of a script comes from here. */
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

// Nothing is painted while the page is hidden or its style is late.
const painted = new Promise<void>((resolve) => {
  if (document.hidden) resolve()
  new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true })
  setTimeout(resolve, 500)
})
painted.then(run)
