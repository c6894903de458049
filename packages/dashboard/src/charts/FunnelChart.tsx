import { actionNames, count, percent } from "../state/format.ts"

interface Step {
  readonly action: string
  readonly clicks: number
  readonly rate: number | null
}

const width = 100

/** The steps of a funnel as centred bars. Between two bars stands the rate from one step to the next. */
export const FunnelChart = ({ steps }: { readonly steps: ReadonlyArray<Step> }) => {
  const most = Math.max(1, ...steps.map(({ clicks }) => clicks))
  return (
    <div class="funnel" aria-hidden="true">
      {steps.map(({ action, clicks, rate }, index) => {
        const bar = Math.max(0.5, (clicks / most) * width)
        return (
          <div class="step" key={action}>
            {index > 0 && <span class="rate-between">↓ {percent(rate)}</span>}
            <span class="name">{actionNames[action]}</span>
            <svg class="whole" viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="bar" opacity={1 - index / 4} x={(width - bar) / 2} width={bar} height="1" />
            </svg>
            <span class="count">{count(clicks)}</span>
          </div>
        )
      })}
    </div>
  )
}
