import type { ComponentChildren } from "preact"
import type { Changing } from "./useChange.ts"

interface ChangeFormProps {
  readonly changing: Changing
  /** The label of the button. */
  readonly title: string
  /** Makes the change. Gets the values of the fields by name. */
  readonly send: (fields: Readonly<Record<string, string>>) => Promise<unknown>
  readonly children: ComponentChildren
}

/** A form in one line. Its fields are cleared after the change. */
export const ChangeForm = ({ changing, children, send, title }: ChangeFormProps) => {
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = Array.from(new FormData(form), ([name, value]) => [name, String(value).trim()])
    changing.run(async () => {
      await send(Object.fromEntries(fields))
      form.reset()
    })
  }
  return (
    <form class="change-form" onSubmit={submit}>
      {children}
      <button type="submit" disabled={changing.isBusy}>
        {title}
      </button>
    </form>
  )
}
