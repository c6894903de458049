import { useState } from "preact/hooks"
import { follow, go, isFixed } from "../state/address.ts"
import { type FilterField, filterFields, filters } from "../state/filters.ts"
import { shared } from "../state/share.ts"

// Share links do not give access to single visitors.
const isHidden = (name: string): boolean =>
  shared !== undefined && (name === "visitor_id" || name === "session_id")

const AddFilter = () => {
  const free = Object.entries(filterFields).filter(([name]) => !isFixed(name) && !isHidden(name))
  const [field, setField] = useState(free[0]?.[0] ?? "")
  const [value, setValue] = useState("")
  const add = (event: Event) => {
    event.preventDefault()
    if (value.trim() === "") return
    go({ [field]: value.trim() })
    setValue("")
  }
  return (
    <form class="add-filter" onSubmit={add}>
      <select
        aria-label="Filter by"
        value={field}
        onChange={({ currentTarget }) => setField(currentTarget.value)}
      >
        {free.map(([name, title]) => (
          <option value={name} key={name}>
            {title}
          </option>
        ))}
      </select>
      <input
        id="filter-value"
        type="text"
        aria-label="Value"
        placeholder="equals …"
        value={value}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <button type="submit">Filter</button>
    </form>
  )
}

const Chip = ({ field, value }: { readonly field: FilterField; readonly value: string }) => {
  const text = (
    <>
      {filterFields[field]}{" "}
      <b>
        <bdi>{value}</bdi>
      </b>
    </>
  )
  if (isFixed(field)) return <span class="chip">{text}</span>
  return (
    <a class="chip" {...follow({ [field]: "" })}>
      {text} <span aria-hidden="true">×</span>
      <span class="unseen">Remove the filter</span>
    </a>
  )
}

/** The filters. Each can be removed unless a share link fixes it. */
export const FilterBar = () => (
  <div class="filters">
    {filters.value.map(({ field, value }) => (
      <Chip key={field} field={field} value={value} />
    ))}
    <AddFilter />
  </div>
)
