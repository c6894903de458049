import type { ComponentChildren } from "preact"

interface ScrollProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** What may be wider than the screen. */
export const Scroll = ({ children, label }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it
  <section class="scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
