import type { ComponentChildren } from "preact"

interface ScrollProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** A scrollable container for content that may be wider than the screen. */
export const Scroll = ({ children, label }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can only scroll what has the focus
  <section class="scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
)
