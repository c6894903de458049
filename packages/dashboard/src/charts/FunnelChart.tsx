import { actionNames, count, percent, shortCount } from "../state/format.ts"

interface Step {
  readonly action: string
  readonly clicks: number
  readonly rate: number | null
}

const width = 720
const rowHeight = 64
const barHeight = 36

/** The steps of a funnel as bars that share a middle, with the rate from step to step between them. */
export const FunnelChart = ({ steps }: { readonly steps: ReadonlyArray<Step> }) => {
  const most = Math.max(1, ...steps.map(({ clicks }) => clicks))
  return (
    <svg class="funnel" viewBox={`0 0 ${width} ${steps.length * rowHeight}`} aria-hidden="true">
      {steps.map(({ action, clicks, rate }, index) => {
        const bar = Math.max(2, (clicks / most) * (width - 280))
        const y = index * rowHeight + (index === 0 ? 8 : 24)
        const middle = 150 + (width - 280) / 2
        return (
          <g key={action}>
            {index > 0 && (
              <text class="rate" x={middle} y={y - 9} text-anchor="middle">
                {`↓ ${percent(rate)}`}
              </text>
            )}
            <rect
              class={`bar step-${index}`}
              x={middle - bar / 2}
              y={y}
              width={bar}
              height={barHeight}
              rx="6"
            />
            <text class="name" x="138" y={y + barHeight / 2 + 5} text-anchor="end">
              {actionNames[action]}
            </text>
            <text class="count" x={width - 120} y={y + barHeight / 2 + 5}>
              {clicks < 1_000_000 ? count(clicks) : shortCount(clicks)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
