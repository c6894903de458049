import { useEffect, useRef } from "preact/hooks"
import { helpIsOpen, shortcuts } from "../state/shortcuts.ts"

/** The list of keyboard shortcuts. */
export const Help = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = helpIsOpen.value
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (helpIsOpen.value = false)}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl>
        {shortcuts.map(({ key, what }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>←</kbd> <kbd>→</kbd>
          </dt>
          <dd>Move through the focused chart</dd>
        </div>
      </dl>
      <button type="button" onClick={() => (helpIsOpen.value = false)}>
        Close
      </button>
    </dialog>
  )
}
