import { Effect, Queue, type Scope } from "effect"

/** The alternate screen of the terminal. */
export interface FullScreen {
  /** Draws these lines, which must fit the screen. */
  readonly show: (lines: ReadonlyArray<string>) => Effect.Effect<void>
  readonly size: () => { readonly columns: number; readonly rows: number }
  /** Completes when the user presses q or Ctrl-C. In raw mode, Ctrl-C sends no signal. */
  readonly left: Effect.Effect<void>
  /** Completes at the next change of the size. */
  readonly resized: Effect.Effect<void>
}

const enter = "\u001b[?1049h\u001b[?25l"
const leave = "\u001b[?25h\u001b[?1049l"
const toTop = "\u001b[H"
const eraseLine = "\u001b[K"
const eraseBelow = "\u001b[J"

const leavingKeys = ["q", "Q", "\u0003"]

const write = (text: string) => Effect.sync(() => void process.stdout.write(text))

const rawInput = Effect.fnUntraced(function* (onKeys: (keys: string) => void) {
  const { stdin } = process
  if (!stdin.isTTY) return
  const listen = (keys: Buffer) => onKeys(keys.toString())
  yield* Effect.acquireRelease(
    Effect.sync(() => stdin.setRawMode(true).on("data", listen).resume()),
    () => Effect.sync(() => stdin.off("data", listen).setRawMode(false).pause())
  )
})

/** Switches to the alternate screen and raw mode while the scope is open. */
export const open: Effect.Effect<FullScreen, never, Scope.Scope> = Effect.gen(function* () {
  const { stdout } = process
  const [leaving, sizes] = [yield* Queue.unbounded<void>(), yield* Queue.sliding<void>(1)]
  yield* Effect.acquireRelease(write(enter), () => write(leave))
  yield* rawInput((keys) => {
    if (leavingKeys.some((key) => keys.includes(key))) Queue.offerUnsafe(leaving, undefined)
  })
  const onResize = () => Queue.offerUnsafe(sizes, undefined)
  yield* Effect.acquireRelease(
    Effect.sync(() => stdout.on("resize", onResize)),
    () => Effect.sync(() => stdout.off("resize", onResize))
  )
  return {
    show: (lines) => write(`${toTop}${lines.map((line) => line + eraseLine).join("\r\n")}${eraseBelow}`),
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    left: Queue.take(leaving),
    resized: Queue.take(sizes)
  }
})
