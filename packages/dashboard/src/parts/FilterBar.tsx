import { useState } from "preact/hooks"
import { follow, go } from "../state/address.ts"
import { filterFields, filters } from "../state/filters.ts"

const AddFilter = () => {
  const [field, setField] = useState("product_id")
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
        {Object.entries(filterFields).map(([name, title]) => (
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

/** The filters, each with a way to remove it. */
export const FilterBar = () => (
  <div class="filters">
    {filters.value.map(({ field, value }) => (
      <a class="chip" key={field} {...follow({ [field]: "" })}>
        {filterFields[field]}{" "}
        <b>
          <bdi>{value}</bdi>
        </b>{" "}
        <span aria-hidden="true">×</span>
        <span class="unseen">Remove the filter</span>
      </a>
    ))}
    <AddFilter />
  </div>
)
