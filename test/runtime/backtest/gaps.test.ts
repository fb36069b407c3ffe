/**
 * Gaps in a tape, marked or found, as a strategy and the figures hear of them.
 */
import { map, merge, NEVER, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { MarkedGap } from '../../../src/tape/gap-marks.ts'
import { buyLimit } from '../../../src/strategy/orders.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'

const ROWS: readonly RecordedRow[] = [
  [0, 100, 5],
  [1_000, 101, 3],
  [2_000, 100, 4],
  [2_000, 101, 4],
  [60_000, 100, 1],
]

interface Reported {
  readonly events: readonly string[]
  readonly gaps: number | undefined
  readonly digest: string
}

interface Terms {
  readonly gaps?: readonly MarkedGap[]
  readonly ids?: readonly number[]
  readonly feedLatencyMs?: number
  readonly isWatched?: boolean
}

async function play({ gaps, ids, feedLatencyMs = 0, isWatched = true }: Terms): Promise<Reported> {
  const events: string[] = []
  const run = (context: StrategyContext<unknown>): IntentStream => {
    context.trades(BTC).subscribe(({ createdAt }) => events.push(`${context.now()} trade of ${createdAt}`))
    if (isWatched)
      context
        .gaps(BTC)
        .subscribe((gap) => events.push(`${context.now()} gap of ${gap.symbol} ${gap.from} to ${gap.to}`))
    const order = context.trades(BTC).pipe(
      take(1),
      map(() => buyLimit(BTC, 50, 1)),
    )
    return merge(NEVER, order)
  }
  const tape = memoryTape(ROWS, { ...(gaps && { gaps }), ids })
  const settings = { orderLatencyMs: 0, feedLatencyMs, liquidity: 'tape' } as const
  const { result } = await runStrategy({ run }, { tapes: [tape], settings })
  expect(result.failure).toBeUndefined()
  return { events, gaps: result.figures.quality.report()[BTC]?.gaps, digest: result.digest }
}

describe('a strategy that watches the gaps of a market', () => {
  it('hears of a marked one before the first trade behind it, with the rows around it, and the figures count it', async () => {
    const { events, gaps } = await play({ gaps: [{ from: 1_000, to: 2_000, why: 'lost' }] })
    expect(events).toEqual([
      '0 trade of 0',
      '1000 trade of 1000',
      '2000 gap of BTC_USD 1000 to 2000',
      '2000 trade of 2000',
      '2000 trade of 2000',
      '60000 trade of 60000',
    ])
    expect(gaps).toBe(1)
  })

  it('hears of one that its ids show', async () => {
    const { events, gaps } = await play({ ids: [1, 2, 3, 4, 9] })
    expect(events.slice(-2)).toEqual(['60000 gap of BTC_USD 2000 to 60000', '60000 trade of 60000'])
    expect(gaps).toBe(1)
  })

  it('hears of none by ids where the gaps are marked', async () => {
    expect((await play({ ids: [1, 2, 3, 4, 9], gaps: [] })).gaps).toBe(0)
  })

  it('hears of it when market data travels, before the trades that travel behind it', async () => {
    const { events } = await play({ gaps: [{ from: 1_000, to: 2_000, why: 'lost' }], feedLatencyMs: 1_500 })
    expect(events.slice(0, 4)).toEqual([
      '1500 trade of 0',
      '2500 trade of 1000',
      '3500 gap of BTC_USD 1000 to 2000',
      '3500 trade of 2000',
    ])
  })
})

it('changes nothing for a strategy that does not watch', async () => {
  const gaps = [{ from: 1_000, to: 2_000, why: 'lost' }]
  const watching = await play({ gaps })
  const blind = await play({ gaps, isWatched: false })
  expect(blind.digest).toBe(watching.digest)
  expect(blind.events).toEqual(watching.events.filter((event) => event.includes('trade')))
  expect(blind.gaps).toBe(1)
})
