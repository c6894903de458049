import type { Click } from "./Click.ts"

type OnClick = (click: Click) => void

/** Reads a click from the attributes of an element and, if it lacks one, of the nearest ancestor that has it. */
const clickOf = (element: HTMLElement): Click => {
  const click: Record<string, unknown> = { action: element.dataset["click"] }
  for (const name of ["product", "store", "brand", "campaign"]) {
    const owner = element.closest<HTMLElement>(`[data-${name}]`)
    if (owner) click[`${name}_id`] = owner.dataset[name]
  }
  return click as unknown as Click
}

/** Records the clicks on elements with `data-click`. */
export const captureClicks = (record: OnClick): void => {
  const onClick = ({ button, target }: MouseEvent) => {
    const element = (target as HTMLElement).closest?.("[data-click]:not([data-click=view])")
    // The secondary button opens the context menu.
    if (element && button < 2) record(clickOf(element as HTMLElement))
  }
  // In the capture phase, so that no handler of the page can stop the event.
  addEventListener("click", onClick, true)
  addEventListener("auxclick", onClick, true)
}

/** Records the views of elements with `data-click="view"`, each once until the URL changes. */
export const captureViews = (record: OnClick): void => {
  let href = ""
  // The views recorded on this page, and the observer's latest entry for each element.
  let viewed: Record<string, unknown> = {}
  let reports = new WeakMap<Element, IntersectionObserverEntry>()
  let scanning = 0

  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const { intersectionRatio, target } = entry
        const onSecond = () => {
          const click = clickOf(target as HTMLElement)
          const text = JSON.stringify(click)
          if (reports.get(target) !== entry || viewed[text]) return
          if (document.hidden) {
            // The observer reports an element again after it is observed again, once the page is visible.
            observer.unobserve(target)
            observer.observe(target)
          } else {
            viewed[text] = 1
            record(click)
          }
        }
        reports.set(target, entry)
        if (intersectionRatio >= 0.5) setTimeout(onSecond, 1_000)
      }
    },
    { threshold: 0.5 }
  )

  const scan = () => {
    scanning = 0
    // A fragment is only a position on the page, unless it begins like the URL of a router.
    const newHref = location.href.replace(/#(?![!/]).*/, "")
    if (newHref !== href) {
      href = newHref
      viewed = {}
      reports = new WeakMap()
      observer.disconnect()
    }
    for (const element of document.querySelectorAll("[data-click=view]")) observer.observe(element)
  }
  const scanSoon = () => {
    scanning = scanning || setTimeout(scan, 50)
  }

  new MutationObserver(scanSoon).observe(document, {
    childList: true,
    subtree: true
  })
  // In browsers without `navigation`, a change of the elements reveals the new URL.
  self.navigation?.addEventListener("currententrychange", scanSoon)
  scan()
}
