import { follow } from "../state/address.ts"
import { isFilterField } from "../state/filters.ts"
import { valueName } from "../state/format.ts"

/** A value of a field. Clicking it filters by it, where clicks can be filtered by the field. */
export const Value = ({
  field,
  value
}: {
  readonly field: string
  readonly value: string | null | undefined
}) => {
  if (value == null) return <span class="none">{valueName(value)}</span>
  const text = <bdi>{value}</bdi>
  if (!isFilterField(field)) return <span title={value}>{text}</span>
  return (
    <a class="value" title={`Show only ${value}`} {...follow({ [field]: value })}>
      {text}
    </a>
  )
}
