/**
 * Other runs of a page compared with the first: the correlation of their returns, and whether one was better than luck
 * explains.
 *
 * Only periods that both runs have are used: those that begin and end at the same times. The interval is a paired
 * circular block bootstrap: both returns of a period are drawn together, so what the runs have in common cancels out.
 *
 * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data
 */
import { correlation as correlationOf, mean } from '../../analysis/returns/float-sums.ts'
import { blockIntervals } from '../../analysis/returns/return-statistics.ts'
import { NONE, ratioText } from './figure-forms.ts'
import type { Line, PageTable, Tone } from './page-data.ts'
import { periodsOf, smallChange } from './return-maps.ts'

export interface SampledRun {
  readonly name: string
  /** Equity at the start, then after every period. */
  readonly samples: Line
}

const COLUMNS: PageTable['columns'] = [
  { key: 'run', label: 'Run', kind: 'text', definition: '' },
  { key: 'periods', label: 'Periods', kind: 'number', definition: 'Periods of the statistics that both runs have' },
  { key: 'correlation', label: 'Correlation', kind: 'number', definition: 'Of the returns of these periods' },
  {
    key: 'difference',
    label: 'Difference per period',
    kind: 'number',
    definition: 'Mean return of this run less that of the first, in basis points',
  },
  {
    key: 'interval',
    label: '95 % interval',
    kind: 'number',
    definition: 'Of this difference, from 1,000 resamples in blocks, with both returns of a period drawn together',
  },
  { key: 'reading', label: 'Reading', kind: 'text', definition: '' },
]

/** One row per run after the first. @param random  in [0, 1), seeded */
export function pairTable([first, ...others]: readonly SampledRun[], random: () => number): PageTable {
  const rows = others.map(({ name, samples }) => {
    const [base, own] = pairedReturns(first?.samples ?? samples, samples)
    const differences = own.map((value, index) => value - (base[index] ?? 0))
    const [difference, correlation] = [mean(differences), correlationOf(base, own)]
    const [interval = null] = blockIntervals(differences, [mean], random)
    const { reading, tone } = readingOf(interval)
    return {
      cells: [
        name,
        String(own.length),
        correlation === null ? NONE : ratioText(correlation),
        difference === null ? NONE : smallChange(difference),
        interval === null ? NONE : interval.map(smallChange).join(' to '),
        reading,
      ],
      order: [null, own.length, correlation, difference, interval?.[0] ?? null, null],
      tone,
    }
  })
  return { columns: COLUMNS, rows }
}

/** Returns of the periods that both have, in pairs. */
function pairedReturns(first: Line, other: Line): readonly [readonly number[], readonly number[]] {
  const known = new Map(periodsOf(first).map(({ from, to, value }) => [`${from} ${to}`, value]))
  const pairs = periodsOf(other).flatMap(({ from, to, value }) => {
    const base = known.get(`${from} ${to}`)
    return base === undefined ? [] : [[base, value] as const]
  })
  return [pairs.map(([base]) => base), pairs.map(([, own]) => own)]
}

function readingOf(interval: readonly [number, number] | null): { readonly reading: string; readonly tone: Tone } {
  if (interval === null) return { reading: 'Too few common periods to decide.', tone: 'plain' }
  const [low, high] = interval
  if (low > 0) return { reading: 'Better than the first.', tone: 'good' }
  if (high < 0) return { reading: 'Worse than the first.', tone: 'bad' }
  return { reading: 'The difference may be luck: the interval includes 0.', tone: 'plain' }
}
