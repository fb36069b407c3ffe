/**
 * The deepest drawdowns of a run.
 *
 * The largest is that of `run.json`, which is measured at every mark; the others are those between the samples of
 * equity.csv that do not overlap it.
 */
import type { RunReport } from '../run/run-report.ts'
import { readableDuration, readablePercent } from '../readable.ts'
import type { Line, PageRow, PageTable } from './page-data.ts'

const MAX_DRAWDOWNS = 5

export interface Fall {
  /** Unix milliseconds of the peak and of the lowest equity. */
  readonly peakAt: number
  readonly troughAt: number
  /** First equity at or above the peak; undefined if there is none. */
  readonly recoveredAt: number | undefined
  /** Share of the peak. */
  readonly depth: number
}

/** Every fall from a peak to the sample at or above it, or to the end. @param equity  oldest first */
export function fallsOf({ times, values }: Line): readonly Fall[] {
  const falls: Fall[] = []
  let [peak, peakAt] = [0, 0]
  let fall: Fall | undefined
  values.forEach((value, index) => {
    const time = times[index] ?? 0
    if (value === null) return
    if (value >= peak) {
      if (fall !== undefined) falls.push({ ...fall, recoveredAt: time })
      fall = undefined
      ;[peak, peakAt] = [value, time]
      return
    }
    const depth = Math.min(1, 1 - value / peak)
    if (depth > (fall?.depth ?? 0)) fall = { peakAt, troughAt: time, recoveredAt: undefined, depth }
  })
  return fall === undefined ? falls : [...falls, fall]
}

/** The deepest, deepest first. */
export function worstFalls(equity: Line, { statistics }: Pick<RunReport, 'statistics'>): readonly Fall[] {
  const { maxDrawdown, maxDrawdownFrom, maxDrawdownTo, maxDrawdownRecoveredAt } = statistics
  const sampled = fallsOf(equity)
  const isLargest = ({ peakAt, recoveredAt = Infinity }: Fall): boolean =>
    peakAt < (maxDrawdownRecoveredAt ?? Infinity) && recoveredAt > (maxDrawdownFrom ?? Infinity)
  const largest: readonly Fall[] =
    maxDrawdownFrom === null || maxDrawdownTo === null
      ? []
      : [
          {
            peakAt: maxDrawdownFrom,
            troughAt: maxDrawdownTo,
            depth: maxDrawdown,
            recoveredAt: maxDrawdownRecoveredAt ?? undefined,
          },
        ]
  const others = sampled.filter((fall) => largest.length === 0 || !isLargest(fall))
  return [...largest, ...others.sort((one, other) => other.depth - one.depth)].slice(0, MAX_DRAWDOWNS)
}

/** @param end  of the run @param symbol  market that is shown with it */
export function drawdownTable(falls: readonly Fall[], end: number, symbol: string): PageTable {
  const rows = falls.map((fall, index): PageRow => {
    const { peakAt, troughAt, recoveredAt, depth } = fall
    const length = (recoveredAt ?? end) - peakAt
    return {
      cells: [
        String(index + 1),
        readablePercent(depth),
        String(peakAt),
        String(troughAt),
        recoveredAt === undefined ? 'not recovered' : String(recoveredAt),
        readableDuration(length),
      ],
      order: [index + 1, depth, peakAt, troughAt, recoveredAt ?? null, length],
      at: { symbol, from: peakAt, to: recoveredAt ?? end },
      tone: 'plain',
    }
  })
  return {
    columns: [
      { key: 'rank', label: '#', kind: 'number', definition: '' },
      { key: 'depth', label: 'Depth', kind: 'number', definition: 'Largest fall, as a share of the peak' },
      { key: 'peak', label: 'Peak', kind: 'time', definition: '' },
      { key: 'trough', label: 'Lowest', kind: 'time', definition: '' },
      { key: 'recovered', label: 'Recovered', kind: 'time', definition: 'First equity at or above the peak' },
      {
        key: 'length',
        label: 'Length',
        kind: 'number',
        isDuration: true,
        definition: 'From the peak to the recovery, or to the end of the run',
      },
    ],
    rows,
  }
}
