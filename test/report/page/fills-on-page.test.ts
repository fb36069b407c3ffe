/**
 * What the page of a run says of who made its fills, and of what bounds them.
 */
import { expect, it } from 'vitest'
import { pageVerdict } from '../../../src/report/page/page-verdict.ts'
import { markoutTable } from '../../../src/report/page/run-tables.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { bounding, REPORT } from '../rig/some-report.ts'

const SYMBOL = 'BTC_USDT'

/** The last cell of the rows of maker and taker. */
function ofThem(maker: object, taker: object): readonly (string | undefined)[] {
  const quality = REPORT.fillQuality[SYMBOL]
  if (quality === undefined) throw new Error(`no figures of ${SYMBOL}`)
  const changed = { ...quality, maker: { ...quality.maker, ...maker }, taker: { ...quality.taker, ...taker } }
  return markoutTable({ ...REPORT, fillQuality: { [SYMBOL]: changed } }).rows.map(({ cells }) => cells.at(-1))
}

it.each`
  maker                 | taker                              | expected                                                                                              | why
  ${{}}                 | ${{}}                              | ${['15 by queue, 7 through', '']}                                                                     | ${'no book'}
  ${{ byCrossing: 0 }}  | ${{ onOldBook: 0 }}                | ${['15 by queue, 7 through, 0 crossing', '']}                                                         | ${'a book that did nothing'}
  ${{ byCrossing: 12 }} | ${{ onOldBook: 3, onOldQuote: 2 }} | ${['15 by queue, 7 through, 12 crossing', '2 on a quote older than 5 s, 3 on a book older than 1 s']} | ${'a book that did'}
`('who made the fills: $why', ({ maker, taker, expected }: Record<'maker' | 'taker' | 'expected', object>) => {
  expect(ofThem(maker, taker)).toEqual(expected)
})

const doubts = (liquidityBounds: RunReport['liquidityBounds']): readonly string[] =>
  pageVerdict({ ...REPORT, liquidityBounds }, {}).doubts.flatMap(({ text, why }) =>
    why.includes('Under liquidity') ? [`${text}: ${why}`] : [],
  )

it.each`
  fewest                 | expected                                                                                                                                                                          | why
  ${['book', '9000']}    | ${['with the strictest queue assumption the result is -1,000: Under liquidity book, where all cancels are behind your order, the profit disappears.']}                            | ${'a loss behind a book'}
  ${['book', '10100']}   | ${[]}                                                                                                                                                                             | ${'a profit behind it'}
  ${['through', '9000']} | ${['without fills from the queue the result is -1,000: Under liquidity through, which fills a resting order only if the market trades beyond its price, the profit disappears.']} | ${'a loss without fills in the queue'}
`('a profit that the fewest fills do not make is in doubt: $why', ({ fewest, expected }) => {
  const [name, equity] = fewest as [string, string]
  expect(doubts({ [name]: bounding(equity, 1), 'book-prorata': bounding('10200', 2) })).toEqual(expected)
})

it('none is where the strategy failed under the fewest, or nothing bounds it', () => {
  expect(doubts(null)).toEqual([])
  expect(doubts({ book: null, 'book-prorata': bounding('10200', 2) })).toEqual([])
})
