/**
 * The notices of runs on small tapes, in full, and in their order.
 */
import { map, NEVER, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { runNotices } from '../../../src/report/run/run-notices.ts'
import { listOf } from '../../../src/tape/notices.ts'
import type { RunFacts } from '../../../src/report/run/run-facts.ts'
import type { BookReport, TapeReport } from '../../../src/report/run/run-report.ts'
import { factsOfBacktest } from '../../../src/run/facts-of-backtest.ts'
import type { BoundingRun, LiquidityBounds } from '../../../src/runtime/backtest/liquidity-bounds.ts'
import { buyMarket } from '../../../src/strategy/orders.ts'
import { memoryDepth } from '../../simulation/rig/memory-book.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'
import { runStrategy, type TestStrategy } from '../../runtime/rig/run-strategy.ts'

const BTC = 'BTC_USD'
const TAPE = memoryTape([
  [0, 100, 500, 'buy'],
  [60_000, 100, 500, 'buy'],
])

const buyer: TestStrategy = {
  run: ({ trades }) =>
    trades(BTC).pipe(
      take(1),
      map(() => buyMarket(BTC, 1)),
    ),
}

async function factsOf(orderLatencyMs = 50, changes: Partial<RunFacts> = {}): Promise<RunFacts> {
  const settings = { liquidity: 'tape', orderLatencyMs }
  const { result } = await runStrategy(buyer, { tapes: [TAPE], settings })
  return { ...factsOfBacktest('0', result, undefined, (file) => file), ...changes }
}

const bounding = (finalEquity: string): BoundingRun => ({ finalEquity, makerFills: 1, makerQty: {} })

const bookOf = (symbol: string): BookReport => ({ ...memoryDepth([], { symbol }).info, path: '/b', reading: {} })

const tapeWith = (notices: readonly string[]): TapeReport => ({ ...TAPE.info, path: '/t', reading: {}, notices })

const noticesOf = (facts: Parameters<typeof runNotices>[0]): readonly string[] => listOf(runNotices(facts)).notices

describe('the notices of a run', () => {
  it('are none when there is nothing to say', async () => {
    expect(noticesOf(await factsOf())).toEqual([])
  })

  it('say what to do about a quote that was old', async () => {
    expect(noticesOf(await factsOf(6_000))).toEqual([
      'BTC_USD is thinly traded: 1 fill used a quote more than 5 s old; use `--stale-after 5000` to refuse such orders.',
    ])
  })

  it('say what latency 0 earns that no one could', async () => {
    const notice = /^With zero latency, fading a sweep earns 0\.13 to 0\.66 basis points/
    expect(noticesOf(await factsOf(0))).toEqual([expect.stringMatching(notice)])
    expect(noticesOf(await factsOf(1))).toEqual([])
  })

  it.each`
    to        | expected
    ${59_000} | ${[]}
    ${40_000} | ${['The tape of ETH_USD ends 20 s before the run does: after 1970-01-01T00:00:40.000Z, its orders do not fill and its last price is used.']}
  `('name a market whose tape ends early, at $to', async ({ to, expected }: { to: number; expected: string[] }) => {
    const other = { ...tapeWith([]), symbol: 'ETH_USD', to }
    const facts = await factsOf()
    expect(noticesOf({ ...facts, tapes: [tapeWith([]), other] })).toEqual(expected)
    // All end where the run was ended.
    expect(noticesOf({ ...facts, config: { ...facts.config, to: 30_000 }, tapes: [tapeWith([]), other] })).toEqual([])
  })

  it.each`
    run                 | where
    ${{ to: 30_000 }}   | ${'starts at 1970-01-01T00:00:40.000Z'}
    ${{ from: 50_000 }} | ${'ends at 1970-01-01T00:00:45.000Z'}
  `(
    'name a market that has no data in the period of the run: it $where',
    async ({ run, where }: { run: object; where: string }) => {
      const other = { ...tapeWith([]), symbol: 'ETH_USD', from: 40_000, to: 45_000 }
      const facts = await factsOf()
      expect(noticesOf({ ...facts, config: { ...facts.config, ...run }, tapes: [tapeWith([]), other] })).toEqual([
        `The tape of ETH_USD has no data in the period of the run (it ${where}), so its orders do not fill.`,
      ])
    },
  )

  it('say once what two recordings of one book have in common', async () => {
    const said = (notices: readonly string[]): BookReport => ({ ...bookOf(BTC), notices })
    const books = [said(['It is read as BTC_USD.']), said(['It is read as BTC_USD.', 'It has a gap.'])]
    expect(noticesOf({ ...(await factsOf()), books })).toEqual([
      'Book of BTC_USD: It is read as BTC_USD.',
      'Book of BTC_USD: It has a gap.',
    ])
  })

  it.each`
    liquidity | of           | isSaid
    ${'book'} | ${BTC}       | ${false}
    ${'tape'} | ${BTC}       | ${true}
    ${'book'} | ${'ETH_USD'} | ${true}
  `(
    'say it of fills that no book bears out: $liquidity, with a book of $of',
    async ({ liquidity, of, isSaid }: { liquidity: string; of: string; isSaid: boolean }) => {
      const facts = await factsOf(0)
      const config = { ...facts.config, liquidity }
      const notices = noticesOf({ ...facts, config, tapes: [tapeWith([])], books: [bookOf(of)] })
      expect(notices.some((notice) => notice.startsWith('With zero latency'))).toBe(isSaid)
    },
  )

  it.each`
    equities                     | isSaid   | why
    ${['1', '2', '3']}           | ${false} | ${'more fills, more equity'}
    ${['2', '2', '2']}           | ${false} | ${'as much'}
    ${['407764', '407000', '9']} | ${true}  | ${'the fewest fills ended best'}
    ${['10', '9.5', '11']}       | ${true}  | ${'the model lies outside'}
    ${['9', '10', '9.99']}       | ${true}  | ${'as numbers, not as text'}
    ${['9', '10', null]}         | ${false} | ${'what failed has no place'}
    ${['10', null, '9']}         | ${true}  | ${'nor does it hide the others'}
  `('$equities: $why', async ({ equities, isSaid }: { equities: (string | null)[]; isSaid: boolean }) => {
    const [through = null, tape = null, touch = null] = equities.map((each) => (each === null ? null : bounding(each)))
    const notices = noticesOf(await factsOf(50, { bounds: { through, tape, touch } }))
    expect(notices.some((notice) => notice.includes('are bounds on the fills, and the true result'))).toBe(isSaid)
  })

  it('say what each bound of a run on a book takes for granted', async () => {
    const noticeOf = async (bounds: LiquidityBounds): Promise<string | undefined> =>
      noticesOf(await factsOf(50, { bounds })).find((notice) => notice.startsWith('More fills did not'))
    expect(await noticeOf({ book: bounding('2'), 'book-prorata': bounding('1') })).toBe(
      'More fills did not mean a better result here: book (all cancels are behind your order) and book-prorata (cancels are spread evenly over the queue) are bounds on the fills, and the true result may be above or below all of them.',
    )
    expect(await noticeOf({ book: bounding('1'), 'book-prorata': bounding('2') })).toBeUndefined()
    const between = { book: bounding('1'), 'book-power': bounding('3'), 'book-prorata': bounding('2') }
    expect(await noticeOf(between)).toContain('book-power (cancels ahead of your order are mostly close to it) and')
  })

  it('say what to do about a book that was old', async () => {
    const facts = await factsOf()
    const fills = facts.account.figures.quality.market(BTC)
    fills.book = { isCrossing: false, reportedAt: 0 }
    expect(noticesOf(facts)).toEqual([])
    fills.onOldBook = 2
    expect(noticesOf(facts)).toEqual([
      'BTC_USD: 2 fills used a recorded book more than 1 s old; use a recording with more frequent updates, or `--stale-after 1000` to refuse such orders.',
    ])
  })

  it.each`
    printFilter | prints                       | expected                                                                                                                      | why
    ${'auto'}   | ${[100, 100]}                | ${[]}                                                                                                                         | ${'nothing to doubt'}
    ${'auto'}   | ${[100, 110, 100]}           | ${['1 of 3 prints of BTC_USD was quarantined as off-market and filled nothing.']}                                             | ${'dropped'}
    ${'auto'}   | ${[100, 110, 110]}           | ${['1 of 3 prints of BTC_USD was quarantined as off-market until later prints confirmed it.']}                                | ${'late'}
    ${'auto'}   | ${[100, 110, 110, 130, 110]} | ${['2 of 5 prints of BTC_USD were quarantined as off-market: 1 until later prints confirmed it, the others filled nothing.']} | ${'one late, one dropped'}
    ${'off'}    | ${[100, 110]}                | ${['The filter for off-market prints is off, so 2 of 2 prints of BTC_USD were not checked.']}                                 | ${'asked for'}
  `('report of prints that were doubted: $why', async ({ printFilter, prints, expected }) => {
    const tape = memoryTape((prints as number[]).map((price, second) => [second * 1_000, price, 1]))
    const run = { tapes: [tape], settings: { liquidity: 'tape', printFilter } }
    const { result } = await runStrategy({ run: () => NEVER }, run)
    const [idle, ...others] = noticesOf(factsOfBacktest('0', result, undefined, (file) => file))
    expect(idle).toMatch(/^No order was placed: /)
    expect(others).toEqual(expected)
  })

  it('of the tape come before others, and before what bears on no figure', async () => {
    const columns = 'These columns are not used: foo.'
    const tick = 'The tick size of 0.0001 comes from row 7 alone.'
    const facts = await factsOf(0, { tapes: [{ ...tapeWith([tick, columns]), warnings: 1 }] })
    const remarks = { ...facts.remarks, inexactMath: ['Math.exp'] }
    expect(noticesOf({ ...facts, remarks }).map((notice) => notice.slice(0, 13))).toEqual([
      'The tick size',
      'With zero lat',
      'The strategy ',
      'These columns',
    ])
  })

  it('name the tape when there are several', async () => {
    const facts = await factsOf(50, { tapes: [tapeWith(['One.']), { ...tapeWith(['Two.']), symbol: 'ETH_USD' }] })
    expect(noticesOf(facts)).toEqual(['BTC_USD: One.', 'ETH_USD: Two.'])
  })
})
