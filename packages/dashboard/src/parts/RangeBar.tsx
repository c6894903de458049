import { useState } from "preact/hooks"
import { go } from "../state/address.ts"
import { daysName } from "../state/dates.ts"
import { plusDays } from "../state/days.ts"
import {
  comparison,
  comparisons,
  type Preset,
  preset,
  presets,
  range,
  rangeProblem,
  zone,
  zones
} from "../state/range.ts"
import { sharesRange } from "../state/share.ts"
import { Segments } from "./Segments.tsx"

const changesTo = (name: Preset) =>
  name === "custom"
    ? { range: name, from: range.value.from, to: plusDays(range.value.before, -1) }
    : { range: name === "7d" ? "" : name, from: "", to: "" }

const Presets = () => (
  <Segments
    label="Range"
    choices={Object.entries(presets).map(([name, title]) => ({
      title,
      changes: changesTo(name as Preset),
      isChosen: preset.value === name
    }))}
  />
)

/** The shown range with another first or last day. If it passes the other one, that day is the whole range. */
const daysWith = (name: "from" | "to", day: string) => {
  const { from, to } = changesTo("custom")
  return name === "from" ? { from: day, to: day > to ? day : to } : { from: day < from ? day : from, to: day }
}

const CustomDays = () => {
  const day = (name: "from" | "to", label: string, value: string) => (
    <input
      type="date"
      aria-label={label}
      value={value}
      required
      onChange={({ currentTarget: { value } }) => value !== "" && go(daysWith(name, value))}
    />
  )
  return (
    <span class="days">
      {day("from", "First day", range.value.from)}–{day("to", "Last day", plusDays(range.value.before, -1))}
    </span>
  )
}

const TimeZone = () => {
  // There are more than 400 time zones, so they are listed only when the user opens the list.
  const [all, setAll] = useState<ReadonlyArray<string>>([])
  const showAll = () => setAll(zones())
  return (
    <select
      aria-label="Time zone"
      value={zone.value}
      onFocus={showAll}
      onMouseDown={showAll}
      onChange={({ currentTarget: { value } }) => go({ tz: value })}
    >
      {[...new Set([zone.value, ...all])].map((name) => (
        <option value={name} key={name}>
          {name.replaceAll("_", " ")}
        </option>
      ))}
    </select>
  )
}

const Bar = ({ compares }: { readonly compares: boolean }) => (
  <div class="bar">
    {!sharesRange && <Presets />}
    {preset.value === "custom" && !sharesRange ? (
      <CustomDays />
    ) : (
      <span class="days">{daysName(range.value.from, plusDays(range.value.before, -1))}</span>
    )}
    <span class="choices">
      {compares && !sharesRange && (
        <select
          aria-label="Compare with"
          value={comparison.value}
          onChange={({ currentTarget: { value } }) => go({ compare: value === "previous" ? "" : value })}
        >
          {Object.entries(comparisons).map(([name, title]) => (
            <option value={name} key={name}>
              {name === "none" ? "No comparison" : `vs. ${title}`}
            </option>
          ))}
        </select>
      )}
      {!sharesRange && <TimeZone />}
    </span>
  </div>
)

/** Selects the range, the comparison and the time zone. */
export const RangeBar = ({ compares = true }: { readonly compares?: boolean }) => (
  <>
    <Bar compares={compares} />
    {rangeProblem.value !== "" && (
      <p class="problem" role="alert">
        {rangeProblem.value}
      </p>
    )}
  </>
)
