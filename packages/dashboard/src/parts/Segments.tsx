import { type Changes, follow } from "../state/address.ts"

interface Choice {
  readonly title: string
  readonly changes: Changes
  readonly isChosen: boolean
}

/** Choices of which one is made, each a link to the address with it. */
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
