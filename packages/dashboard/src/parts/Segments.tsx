import { type Changes, follow } from "../state/address.ts"

interface Choice {
  readonly title: string
  readonly changes: Changes
  readonly isChosen: boolean
}

/** A list of choices, one of which is selected. Each is a link to the address with that choice. */
export const Segments = (props: { readonly label: string; readonly choices: ReadonlyArray<Choice> }) => (
  <ul class="segments" aria-label={props.label}>
    {props.choices.map(({ changes, isChosen, title }) => (
      <li key={title}>
        <a {...follow(changes)} aria-current={isChosen ? "true" : undefined}>
          {title}
        </a>
      </li>
    ))}
  </ul>
)
