import { useEffect, useRef, useState } from "preact/hooks"
import { ApiError, change } from "../api/client.ts"
import { daysName } from "../state/dates.ts"
import { plusDays } from "../state/days.ts"
import { filtered, filterFields, filters } from "../state/filters.ts"
import { preset, range, zone } from "../state/range.ts"

const durations = { 1: "a day", 7: "a week", 30: "30 days", 90: "90 days", 366: "a year" } as const

const isFixedRange = () => preset.value === "custom"

const whatIsShared = (): string => {
  const fields = filters.value.map(({ field, value }) => `${filterFields[field]} ${value}`)
  const clicks = fields.length === 0 ? "all clicks" : fields.join(", ")
  const { before, from } = range.value
  return isFixedRange() ? `${clicks}, ${daysName(from, plusDays(before, -1))}` : clicks
}

const create = async (days: number): Promise<string> => {
  const { before, from } = range.value
  const fixed = isFixedRange() ? { from, before, tz: zone.value } : {}
  const { path } = await change("POST", "/api/shares", {
    body: { filter: { ...filtered.value, ...fixed }, days }
  })
  return `${location.origin}${path}${location.search}`
}

const Link = ({ url }: { readonly url: string }) => {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(url)
    setIsCopied(true)
  }
  return (
    <p class="link">
      <input
        type="text"
        readOnly
        aria-label="Link"
        value={url}
        onFocus={(event) => event.currentTarget.select()}
      />
      {navigator.clipboard && (
        <button type="button" onClick={copy}>
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </p>
  )
}

const ShareDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const [days, setDays] = useState("30")
  const [url, setUrl] = useState("")
  const [problem, setProblem] = useState("")
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      setUrl(await create(Number(days)))
      setProblem("")
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error))
    }
  }
  return (
    <dialog ref={dialog} aria-labelledby="share-title" onClose={onClose}>
      <h2 id="share-title">Share these figures</h2>
      <p>
        Anyone with the link sees the charts and tables of{" "}
        <b>
          <bdi>{whatIsShared()}</bdi>
        </b>{" "}
        without logging in, and nothing else; single clicks are not shown. The link expires after the time
        that you select, or when your key is revoked.
      </p>
      <form onSubmit={submit}>
        <label for="share-days">Valid for</label>{" "}
        <select id="share-days" value={days} onChange={({ currentTarget: { value } }) => setDays(value)}>
          {Object.entries(durations).map(([value, title]) => (
            <option value={value} key={value}>
              {title}
            </option>
          ))}
        </select>{" "}
        <button type="submit" class="primary">
          Create link
        </button>
      </form>
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {url !== "" && <Link url={url} />}
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

/** Creates a link to the current figures, for people without a key. */
export const Share = () => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Share
      </button>
      {isOpen && <ShareDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}
