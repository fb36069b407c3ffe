/**
 * Fills on a real recording with its book and quotes, held against what was recorded: small orders at the true best
 * price, and what large takers pay.
 *
 * The tables are in docs/liquidity.md. Rewrite them with RENEW_GOLDEN=1, and say why they changed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { queueTruth } from './rig/queue-truth.ts'
import {
  depthOf,
  isRecordingThere,
  quotesOf,
  recordedBlocks,
  snapshotsOf,
  type RecordedBlocks,
} from './rig/recorded-market.ts'
import {
  filledOf,
  restingFigures,
  SIDES,
  type RecordedSetup,
  type RestingFigures,
} from './rig/resting-on-recordings.ts'
import { askedPrices, costFigures, middles, nextCosts, type CostFigures } from './rig/taking-on-recordings.ts'

const PAGE = new URL('../../docs/liquidity.md', import.meta.url)
const [START, END] = ['<!-- table: recorded-books -->', '<!-- end -->']
const PLACE = new RegExp(`^${START}\\n([^]*?)^${END}$`, 'm')
const ORDERS = 1_000
const LIFE_MS = 5_000
/** ETH, each of 10^5 lots. */
const SIZES = [1, 5, 20, 100]
const LOTS = 100_000

const setupsOf = (recorded: RecordedBlocks): Readonly<Record<string, RecordedSetup>> => ({
  'trades, `touch`': { model: 'touch', books: [] },
  'trades, `tape`': { model: 'tape', books: [] },
  'top 5 each second': { model: 'book', books: [snapshotsOf(recorded, 5, 1_000)] },
  quotes: { model: 'book', books: [quotesOf(recorded)] },
  'book each 100 ms': { model: 'book', books: [depthOf(recorded)] },
  'book and quotes': { model: 'book', books: [depthOf(recorded), quotesOf(recorded)] },
  'book and quotes, `book-power`': { model: 'book-power', books: [depthOf(recorded), quotesOf(recorded)] },
  'book and quotes, `book-prorata`': { model: 'book-prorata', books: [depthOf(recorded), quotesOf(recorded)] },
})

const RESTING = `Table \`recorded-resting\`: resting orders of the smallest quantity at the true best price of ETH on Binance, checked
after 5 s: 1000 buys and 1000 sells, evenly spaced over eleven minutes. Each row adds other data to the trades.
*Phantom* orders filled although they could not have, even if all cancels were ahead of them. *Missed* orders did not
fill although they must have, even if all cancels were after them.`
const COSTS = `Table \`recorded-taking\`: the cost of buying from the mid, in basis points, compared with the cost in the next frame of
the book, which no model had seen. The rows below the true cost show the mean error, and the correlation in brackets.`

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(2)

const restingRow = (name: string, { orders, filled, phantom, missed }: RestingFigures): string =>
  `| ${[name, orders, ...[filled, phantom, missed].map((count) => percent(count, orders))].join(' | ')} |`

const costRow = (name: string, figures: readonly CostFigures[]): string =>
  `| ${[name, ...figures.map(({ error, correlation }) => `${error.toFixed(3)} (${correlation.toFixed(2)})`)].join(' | ')} |`

const table = (heads: readonly string[], rows: readonly string[]): string =>
  [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows].join('\n')

describe.skipIf(!isRecordingThere)('fills on a recorded book (skipped without ../shared/data)', () => {
  const resting = new Map<string, RestingFigures>()
  const costs = new Map<string, readonly CostFigures[]>()
  let recorded: RecordedBlocks
  let setups: Readonly<Record<string, RecordedSetup>>
  let moments: readonly number[]

  beforeAll(async () => {
    recorded = await recordedBlocks()
    setups = setupsOf(recorded)
    const { from, to } = recorded
    const [first, length] = [from + 10_000, to - from - 16_000]
    moments = Array.from({ length: ORDERS }, (_, at) => first + Math.floor((at * length) / ORDERS))
  })

  it('of small resting orders are those that must be, and none that cannot', async () => {
    for (const [name, setup] of Object.entries(setups)) {
      const sum = { orders: 0, filled: 0, phantom: 0, missed: 0 }
      for (const side of SIDES) {
        const orders = await queueTruth(recorded, side, moments, LIFE_MS)
        const figures = restingFigures(orders, await filledOf(recorded, setup, orders))
        for (const key of ['orders', 'filled', 'phantom', 'missed'] as const) sum[key] += figures[key]
      }
      resting.set(name, sum)
    }
    const shareOf = (name: string): readonly number[] => {
      const { orders = 0, phantom = 0, missed = 0 } = resting.get(name) ?? {}
      return [(100 * phantom) / orders, (100 * missed) / orders]
    }
    // Each within half a point of what others measured: 0 and 0.1, 0 and 0.9.
    for (const name of ['quotes', 'book and quotes']) {
      expect(shareOf(name)[0], name).toBe(0)
      expect(shareOf(name)[1], name).toBeLessThanOrEqual(0.6)
    }
    expect(shareOf('book each 100 ms')[0]).toBeLessThanOrEqual(0.5)
    expect(shareOf('book each 100 ms')[1]).toBeLessThanOrEqual(1.4)
    expect(shareOf('book and quotes, `book-prorata`')[0]).toBe(0)
  })

  it('of large takers cost what they cost in the book', async () => {
    const sizes = SIZES.map((size) => size * LOTS)
    const truth = nextCosts(recorded, moments, sizes)
    const middle = await middles(recorded, moments)
    for (const name of ['trades, `tape`', 'top 5 each second', 'quotes', 'book each 100 ms', 'book and quotes']) {
      const setup = setups[name]
      if (setup === undefined) throw new Error(name)
      const asked = await askedPrices(recorded, setup, moments, sizes)
      costs.set(name, SIZES.map((_, at) => costFigures(middle, truth, asked, at))) // prettier-ignore
    }
    for (const figures of costs.values()) expect(figures.map(({ count }) => count)).toEqual(SIZES.map(() => ORDERS))
    const [, , of20, of100] = costs.get('book and quotes') ?? []
    expect(of20?.correlation).toBeGreaterThan(0.895)
    expect(of100?.correlation).toBeGreaterThan(0.9)
  })

  it('are in docs/liquidity.md as they were measured', () => {
    const restingTable = table(
      ['Tape', 'Orders', 'Filled, %', 'Phantom, %', 'Missed, %'],
      [...resting].map(([name, figures]) => restingRow(name, figures)),
    )
    const trueCosts = costs.get('book and quotes')?.map(({ truth }) => truth.toFixed(3)) ?? []
    const costTable = table(
      ['Tape', ...SIZES.map((size) => `${size} ETH`)],
      [`| true cost | ${trueCosts.join(' | ')} |`, ...[...costs].map(([name, figures]) => costRow(name, figures))],
    )
    const text = `${RESTING}\n\n${restingTable}\n\n${COSTS}\n\n${costTable}\n`
    const page = readFileSync(PAGE, 'utf8')
    if (process.env.RENEW_GOLDEN !== undefined) writeFileSync(PAGE, page.replace(PLACE, `${START}\n${text}${END}`))
    expect(PLACE.exec(readFileSync(PAGE, 'utf8'))?.[1]).toBe(text)
  })
})
