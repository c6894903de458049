import { follow } from "../state/address.ts"
import type { FilterField } from "../state/filters.ts"
import { valueName } from "../state/format.ts"

/** A value of a field. A click on it filters by this value. */
export const Value = ({
  field,
  value
}: {
  readonly field: FilterField
  readonly value: string | null | undefined
}) => {
  if (value == null) return <span class="none">{valueName(value)}</span>
  return (
    <a class="value" title={`Show only ${value}`} {...follow({ [field]: value })}>
      <bdi>{value}</bdi>
    </a>
  )
}
