import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditJson } from '../../../src/domain/audit.ts'
import type { OpenTripReport } from '../../../src/analysis/open-trip.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { flatteringSettings } from '../../../src/report/run/flattering.ts'
import { SUMMARY_LINES, summary } from '../../../src/report/summary/summary.ts'
import { textWidth } from '../../../src/report/terminal-text.ts'
import { bounding, REPORT, TAPE } from '../rig/some-report.ts'

const WAVE = Array.from({ length: 500 }, (_, index) => 10_000 + index + 3 * Math.abs((index % 150) - 75))

const linesOf = (report: RunReport, equity: readonly number[] = WAVE): string[] =>
  summary(report, equity, false, undefined).split('\n')
const lineOf = (report: RunReport, start: string): string =>
  linesOf(report).find((line) => line.startsWith(start)) ?? `no line begins with ${start}`

function expectToFit(report: RunReport, equity: readonly number[] = WAVE): void {
  const lines = linesOf(report, equity)
  const wrapped = WRAPPED.reduce((sum, label) => sum + moreUnder(lines, label), 0)
  const whole = wrapped + lines.filter((line) => /^ {2}\S/.test(line)).length
  expect(lines.length).toBeLessThanOrEqual(SUMMARY_LINES + whole)
  // Nothing that could be left out is there when it is longer.
  if (lines.length > SUMMARY_LINES) expect(lines.filter((line) => line === '' || line.startsWith('curve'))).toEqual([])
  for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(80)
}

/** Labels whose text is wrapped rather than cut: half a number is another one. */
const WRAPPED = [
  ...['strategy', 'equity', 'return', 'annualized', 'fees', 'round trips', 'per trade', 'orders', 'refused'],
  ...['fills', 'fill bounds', 'service'],
]

/** Lines of a label after its first, which are never cut. */
function moreUnder(lines: readonly string[], label: string): number {
  const first = lines.findIndex((line) => line.startsWith(label.padEnd(13)))
  if (first < 0) return 0
  return lines.slice(first + 1).findIndex((line) => !line.startsWith(' '.repeat(13)))
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('the summary', () => {
  it('shows setup, result, audit and digest', () => {
    expect(summary(REPORT, WAVE, false, undefined)).toMatchInlineSnapshot(`
      "strategy     sma-cross (papertape 0.1.0)
      parameters   symbol=BTC_USDT, interval=1s, fast=10, slow=30
      tape         BTC_USDT 65,432 trades, 2024-01-01 10:00:00 to 10:10:50 UTC

      equity       10,000 → 10,123.4567 USDT (+123.4567)
      return       +1.23 %, buy and hold -0.34 %, max drawdown 2.11 %, exposure 43 %
      annualized   n/a: the run is shorter than 7 days
      fees         12.5 USDT (maker 1 bps, taker 5.5 bps)
      execution    liquidity ideal; latency: order 50 ms, response 0 ms, feed 0 ms
      round trips  12 closed, 58.33 % won; none open
      per trade    mean +10.29 USDT (+0.10 %), profit factor 1.56, SQN 1.40
      orders       24; 3 refused: 2 INSUFFICIENT_BALANCE, 1 NO_LIQUIDITY
      fills        31: 15 by queue, 7 through, 9 taker, 5 s markout -1.23 bps
      fill bounds  through 10,023.45 / tape 10,123.46 / touch 10,456.7 USDT
      refused      INSUFFICIENT_BALANCE (BUY 1000 BTC_USDT at market): not enough USDT
                   available
                   NO_LIQUIDITY (SELL 3 BTC_USDT at market): the market is silent
                   for details, add --out DIR and run \`papertape why DIR ref:7\`
      curve        ▂▂▂▂▂▁▁▁▁▁▁▁▂▂▂▃▃▄▄▅▄▄▄▄▄▃▃▃▃▃▃▃▄▄▄▅▅▆▆▆▆▆▆▆▆▅▅▅▅▅▅▅▆▆▆▇▇████████▇▇
      note: The column is_best_match of btcusdt.csv.gz was ignored.
      audit USDT: credited 10000 = held 9987.5 + fees 12.5
      audit BTC: credited 0 = held 0 + fees 0
      digest sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    `)
  })

  it('of a large run without fees', () => {
    expect(summary(LARGE, WAVE, false, undefined)).toMatchInlineSnapshot(`
      "strategy     market-making-with-inventory (papertape 0.1.0)
      parameters   parameter0=0, parameter1=value 1, parameter2=2, and 37 more
      tapes        COIN0_USDT 1,234,567 candles, 2015-01-01 to 2024-12-31
                   and 11 more tapes, 95,061,659 rows
      period       1970-01-01 to 2024-06-01
      equity       123,456,789.12 → 98,765,432.12345678… USDT (-24,691,356.99654321…)
      return       -20.00 %, buy and hold -0.34 %, max drawdown 2.11 %, exposure 43 %
      annualized   +41.23 %, Sharpe 1.23 (-0.46 to 2.79), Sortino 1.87, Calmar 19.50
      fees         NO FEES: maker 0 bps, taker 0 bps
      execution    liquidity tape; latency: order 50 ms, response 0 ms, feed 0 ms
      round trips  1,000,000 closed, 50.10 % won; none open
      per trade    mean +10.29 USDT (+0.10 %), profit factor 1.56, SQN 1.40
      orders       1,234,567; 248,246 refused: 234,567 RATE_LIMITED, and 4 more
      fills        2,345,678: 15 by queue, 7 through, 9 taker, 5 s markout -1.23 bps
      fill bounds  through 10,023.45 / tape 10,123.46 / touch 10,456.7 USDT
      refused      INSUFFICIENT_BALANCE (BUY 1000 BTC_USDT at market): not enough USDT
                   available
                   for details, add --out DIR and run \`papertape why DIR ref:7\`
      11 notes: see notices in run.json (--out)
      audit COIN1: credited 1 = held 1 + fees 0
      audit COIN2: credited 2 = held 2 + fees 0
      audit: 11 more assets, all balanced
      digest sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    `)
  })

  it('ends with the whole path of the page, whatever its length', () => {
    const directory = `runs/${'long-'.repeat(20)}name`
    const last = (at: string, fills = 7): string | undefined =>
      summary({ ...REPORT, fills }, WAVE, false, at)
        .split('\n')
        .at(-1)
    expect(last('run')).toBe('report       run/report.html')
    expect(last('my run', 100_001)).toBe("report       papertape report 'my run'")
    expect(last(directory)).toBe(`report       ${directory}/report.html`)
  })

  it('shows all latencies, also of a model with a long name', () => {
    const lines = linesOf({ ...REPORT, config: { ...REPORT.config, liquidity: './models/of-my-own.ts' } })
    const first = lines.findIndex((line) => line.startsWith('execution'))
    const text = lines
      .slice(first, first + 2)
      .map((line) => line.slice(13))
      .join(' ')
    expect(text).toBe('liquidity ./models/of-my-own.ts; latency: order 50 ms, response 0 ms, feed 0 ms')
  })

  it('shows a reason whole, however long it is', () => {
    const [first] = REPORT.firstRefusals
    if (first === undefined) throw new Error('no refusal')
    const message = `${'why '.repeat(60)}end`
    const lines = linesOf({ ...REPORT, firstRefusals: [{ ...first, message }] })
    const shown = lines.map((line) => line.slice(13)).join(' ')
    expect(shown).toContain(`BUY 1000 BTC_USDT at market: ${message}`)
  })

  it('is the same text in colour', () => {
    const coloured = summary(REPORT, WAVE, true, undefined)
    expect(coloured).not.toBe(summary(REPORT, WAVE, false, undefined))
    expect(stripVTControlCharacters(coloured)).toBe(summary(REPORT, WAVE, false, undefined))
    expect(coloured).toContain('\u001b[32m+1.23 %')
  })

  it('says loudly that a run was free, and that a free run is not one whose fees came to nothing', () => {
    const free = { ...REPORT.config, makerFeeBps: '0', takerFeeBps: '0.0' }
    expect(lineOf({ ...REPORT, config: free }, 'fees')).toBe('fees         NO FEES: maker 0 bps, taker 0 bps')
    const idle = { ...REPORT.statistics, fees: { USDT: '0' } }
    expect(lineOf({ ...REPORT, statistics: idle }, 'fees')).toBe('fees         0 USDT (maker 1 bps, taker 5.5 bps)')
  })

  it('says what there is no figure for', () => {
    const statistics = { ...REPORT.statistics, return: null, roundTrips: 0, winRate: null, exposure: 0 }
    const report = { ...REPORT, statistics, refusals: {}, firstRefusals: [], params: {}, orders: 0, fills: 0 }
    expect(lineOf(report, 'return')).toContain('return       n/a without initial equity, buy and hold -0.34 %')
    expect(lineOf(report, 'round trips')).toBe('round trips  none')
    expect(linesOf(report).some((line) => line.startsWith('refused'))).toBe(false)
    expect(lineOf(report, 'orders')).toBe('orders       0, none refused')
    expect(lineOf(report, 'parameters')).toBe('parameters   none')
    expect(linesOf(report, []).some((line) => line.startsWith('curve'))).toBe(false)
  })

  it('counts no transfer of capital as a gain', () => {
    const report = { ...REPORT, transfers: { count: 2, in: '100', out: '0.5' } }
    expect(lineOf(report, 'equity')).toBe(
      'equity       10,000 → 10,123.4567 USDT (+23.9567 without 2 transfers: 100 USDT',
    )
    expect(linesOf(report)).toContain('             in, 0.5 out)')
  })

  it('warns of an equity that is not the whole', () => {
    expect(lineOf({ ...REPORT, partial: true }, 'equity')).toBe(
      'equity       INCOMPLETE, a holding has no price: 10,000 → 10,123.4567 USDT',
    )
  })

  it('takes the profit from the exact amounts', () => {
    const report = { ...REPORT, initialEquity: '10000000000000000.5', finalEquity: '10000000000000000' }
    expect(lineOf(report, 'equity')).toContain('(-0.5)')
  })

  it('reports which part of the tapes was used when it was not all', () => {
    const config = { ...REPORT.config, from: Date.parse('2024-01-01T10:05:00.000Z') }
    expect(lineOf({ ...REPORT, config }, 'period')).toBe('period       2024-01-01 10:05:00 to 10:10:50 UTC')
    expect(linesOf(REPORT).some((line) => line.startsWith('period'))).toBe(false)
  })
})

const OPEN: OpenTripReport = {
  symbol: 'BTC_USDT',
  side: 'BUY',
  openedAt: 0,
  qty: '0.5',
  entryPrice: '110.1',
  lastPrice: '100.00',
  unrealizedPnl: '-1234.5',
  quoteAsset: 'USDT',
}

describe('round trips in the summary', () => {
  const roundTrips = (roundTrips: number, openTrips: readonly OpenTripReport[]): string =>
    lineOf({ ...REPORT, statistics: { ...REPORT.statistics, roundTrips, openTrips } }, 'round trips').slice(13)

  it('stand beside those that are open, so that a grid that sells no loser shows what it holds', () => {
    expect(roundTrips(12, [OPEN])).toBe('12 closed, 58.33 % won; 1 open, unrealized -1,234.5 USDT')
  })

  it('are summed exactly, a sum a quote asset', () => {
    const gain = { ...OPEN, unrealizedPnl: '1234.50000001' }
    expect(roundTrips(12, [OPEN, gain])).toContain('2 open, unrealized +0.00000001 USDT')
    const openTrips = [OPEN, { ...gain, quoteAsset: 'EUR' }]
    const lines = linesOf({ ...REPORT, statistics: { ...REPORT.statistics, openTrips } })
    const first = lines.findIndex((line) => line.startsWith('round trips'))
    expect(lines.slice(first, first + 2).map((line) => line.slice(13))).toEqual([
      '12 closed, 58.33 % won; 2 open, unrealized -1,234.5 USDT and',
      '+1,234.50000001 EUR',
    ])
  })

  it('do not add up where there is no price', () => {
    expect(roundTrips(12, [OPEN, { ...OPEN, lastPrice: null, unrealizedPnl: null }])).toContain('unrealized UNKNOWN')
  })

  it('say so when none was closed', () => {
    const statistics = { ...REPORT.statistics, roundTrips: 0, winRate: null, openTrips: [OPEN] }
    expect(lineOf({ ...REPORT, statistics }, 'round trips')).toBe(
      'round trips  none closed; 1 open, unrealized -1,234.5 USDT',
    )
  })
})

describe('orders in the summary', () => {
  const short = { orders: 94, qtyAsked: '9400', qtyFound: '120.5' }
  const orders = (terms: Partial<RunReport>): string => {
    const lines = linesOf({ ...REPORT, ...terms })
    const first = lines.findIndex((line) => line.startsWith('orders'))
    const last = lines.findIndex((line) => line.startsWith('fills'))
    return lines
      .slice(first, last)
      .map((line) => line.slice(13))
      .join('\n')
  }

  it('report how many found less than they asked for, and how much', () => {
    const refusals = { NO_LIQUIDITY: 3 } as const
    expect(orders({ orders: 104, refusals, partlyFilled: { BTC_USDT: short } })).toBe(
      '104; 94 partly filled for lack of volume (120.5 of 9,400 filled);\n3 refused: 3 NO_LIQUIDITY',
    )
    expect(orders({ refusals: {}, partlyFilled: { BTC_USDT: short } })).toBe(
      '24; 94 partly filled for lack of volume (120.5 of 9,400 filled),\nnone refused',
    )
  })

  it('of several markets only how many, for their quantities do not add up', () => {
    expect(orders({ refusals: {}, partlyFilled: { A: short, B: short } })).toBe(
      '24; 188 partly filled for lack of volume, none refused',
    )
  })

  it('distinguish fills with own orders', () => {
    const [quality] = Object.values(REPORT.fillQuality)
    if (quality === undefined) throw new Error('no figures')
    const fillQuality = { BTC_USDT: { ...quality, ownFills: 4 } }
    expect(lineOf({ ...REPORT, fillQuality }, 'fills')).toContain('9 taker, 4 own, 5 s markout')
  })
})

describe('optimistic settings in the summary', () => {
  const flattered = (optimistic: RunReport['optimistic']): string[] =>
    linesOf({ ...REPORT, optimistic }).filter((line) => line.startsWith('optimistic'))

  it('is one line of words, in their order, and none when nothing does', () => {
    const depth = { setting: 'levelSize', value: 2, words: 'book depth x2' } as const
    const limits = { setting: 'limits', value: null, words: 'no rate limits' } as const
    expect(flattered([depth, limits])).toEqual(['optimistic   book depth x2, no rate limits'])
    expect(flattered([])).toEqual([])
  })

  it('leaves out the fees, which have a line', () => {
    expect(flattered([{ setting: 'takerFeeBps', value: '0', words: 'no fees' }])).toEqual([])
  })
})

describe('the bounds in the summary', () => {
  const [through, tape] = [bounding('407764', 1), bounding('12', 2)]

  it('name what they bound, and what failed', () => {
    expect(lineOf({ ...REPORT, liquidityBounds: { through, tape, touch: null } }, 'fill bounds')).toBe(
      'fill bounds  through 407,764 / tape 12 / touch failed USDT',
    )
  })

  it('are those of a recorded book where one was followed, and fit however large they are', () => {
    const [book, prorata] = [bounding('10023.456', 7), bounding('10123.4', 9)]
    expect(lineOf({ ...REPORT, liquidityBounds: { book, 'book-prorata': prorata } }, 'fill bounds')).toBe(
      'fill bounds  book 10,023.46 / book-prorata 10,123.4 USDT',
    )
    const large = bounding('1234567.89', 7)
    const three = { book: large, 'book-power': large, 'book-prorata': large }
    expect(lineOf({ ...REPORT, liquidityBounds: three }, 'fill bounds')).toBe(
      'fill bounds  book 1,234,568 / book-power 1,234,568 / book-prorata 1,234,568 USDT',
    )
  })
})

describe('the fills in the summary', () => {
  it('report those by the other side of a recorded book, also none', () => {
    const [quality] = Object.values(REPORT.fillQuality)
    if (quality === undefined) throw new Error('no figures')
    const line = (byCrossing: number): string =>
      lineOf({ ...REPORT, fillQuality: { A: { ...quality, maker: { ...quality.maker, byCrossing } } } }, 'fills')
    expect(line(12)).toBe('fills        31: 15 by queue, 7 through, 12 crossing, 9 taker, markout -1.23 bps')
    expect(line(0)).toContain('7 through, 0 crossing, 9 taker')
  })
})

const OFF = { credited: '10', held: '9', fees: '0.5', difference: '0.5' }
const BALANCED = { credited: '0', held: '0', fees: '0', difference: '0' }

const auditOf = (assets: AuditJson['assets']): string[] =>
  linesOf({ ...REPORT, audit: { assets, ok: false } }).filter((line) => line.startsWith('audit'))

describe('the audit in the summary', () => {
  it('puts what does not balance first', () => {
    expect(auditOf({ BTC: BALANCED, ETH: BALANCED, XRP: BALANCED, USD: OFF })).toEqual([
      'audit USD: OFF BY 0.5: credited 10, held 9 + fees 0.5',
      'audit BTC: credited 0 = held 0 + fees 0',
      'audit: 2 more assets, all balanced',
    ])
  })

  it('never hides that something does not balance', () => {
    expect(auditOf({ A: OFF, B: OFF, C: BALANCED, D: OFF, E: OFF }).at(-1)).toBe('audit: 3 more assets, 2 OFF')
  })
})

const LARGE: RunReport = {
  ...REPORT,
  strategy: { ...REPORT.strategy, name: 'market-making-with-inventory' },
  params: Object.fromEntries(many(40, (index) => [`parameter${index}`, index % 2 === 0 ? index : `value ${index}`])),
  tapes: many(12, (index) => ({
    ...TAPE,
    symbol: `COIN${index}_USDT`,
    kind: 'candles' as const,
    rows: 1_234_567 * (index + 1),
    from: Date.parse('2015-01-01T00:00:00.000Z'),
    to: Date.parse('2024-12-31T23:59:59.999Z'),
  })),
  config: {
    ...REPORT.config,
    makerFeeBps: '0',
    takerFeeBps: '0',
    liquidity: 'tape',
    from: 0,
    to: Date.parse('2024-06-01T00:00:00.000Z'),
  },
  initialEquity: '123456789.12',
  finalEquity: '98765432.123456789012',
  orders: 1_234_567,
  fills: 2_345_678,
  refusals: {
    INSUFFICIENT_BALANCE: 12_345,
    ORDER_REJECTED: 1_234,
    RATE_LIMITED: 234_567,
    NO_LIQUIDITY: 99,
    VALIDATION_ERROR: 1,
  },
  statistics: { ...REPORT.statistics, return: -0.2, roundTrips: 1_000_000, winRate: 0.501 },
  audit: {
    assets: Object.fromEntries(
      many(13, (index) => [`COIN${index}`, { ...BALANCED, credited: String(index), held: String(index) }]),
    ),
    ok: true,
  },
  notices: [
    'COIN3_USDT: 1,234 candles had no volume and gave no trade; the first of them is the one of 2016-02-03 in row 401 of the file.',
    'COIN4_USDT: the times of 17 candles were rounded to the millisecond.',
    ...many(9, (index) => `COIN${index}_USDT: the column adj_close was ignored.`),
  ],
}

/** Every line that a summary can have, each as long as it gets. */
const FULLEST: RunReport = {
  ...LARGE,
  statistics: { ...LARGE.statistics, openTrips: many(40, (index) => ({ ...OPEN, quoteAsset: `USD${index}` })) },
  partlyFilled: { BTC_USDT: { orders: 1_234_567, qtyAsked: '9'.repeat(40), qtyFound: '8'.repeat(40) } },
  optimistic: flatteringSettings(
    {
      ...LARGE.config,
      liquidity: 'touch',
      levelSize: 999,
      queueSize: 0.123456,
      spread: '0.00000001',
      orderLatencyMs: 0,
      limits: null,
      staleAfterMs: 1e12,
    },
    LARGE.tapes,
  ),
}

const ODD: readonly (readonly [string, RunReport, readonly number[]])[] = [
  ['a usual run', REPORT, WAVE],
  ['a large run', LARGE, WAVE],
  ['every line it can have', FULLEST, WAVE],
  ['nothing at all', { ...REPORT, params: {}, notices: [], audit: { assets: {}, ok: true }, refusals: {} }, []],
  [
    'names without end',
    {
      ...REPORT,
      strategy: { ...REPORT.strategy, name: 'a'.repeat(300) },
      params: { ['p'.repeat(200)]: 'q'.repeat(200), nested: { list: many(99, String) } },
      tapes: [{ ...TAPE, symbol: `${'B'.repeat(90)}_USDT` }],
      config: { ...REPORT.config, liquidity: 'l'.repeat(99) },
      quoteAsset: 'U'.repeat(99),
      notices: ['n'.repeat(500)],
      digest: `sha256:${'f'.repeat(64)}`,
    },
    [1],
  ],
  [
    'amounts of 10^30',
    {
      ...LARGE,
      initialEquity: `1${'0'.repeat(30)}.${'1'.repeat(24)}`,
      finalEquity: `-1${'0'.repeat(30)}.${'1'.repeat(24)}`,
      config: {
        ...REPORT.config,
        makerFeeBps: '10000.0000',
        takerFeeBps: '9999.9999',
        orderLatencyMs: 1e9,
        responseLatencyMs: 1e9,
        feedLatencyMs: 1e9,
      },
      statistics: {
        ...REPORT.statistics,
        return: 1e30,
        buyAndHoldReturn: -1e25,
        fees: Object.fromEntries(many(20, (index) => [`COIN${index}`, `${'9'.repeat(31)}.123456789`])),
      },
      audit: {
        assets: Object.fromEntries(
          many(5, (index) => [
            `COIN${index}`,
            { credited: '9'.repeat(31), held: '8'.repeat(31), fees: '7'.repeat(31), difference: '-1' },
          ]),
        ),
        ok: false,
      },
    },
    WAVE,
  ],
  [
    'text that moves the cursor',
    {
      ...REPORT,
      strategy: { ...REPORT.strategy, name: 'two\nlines\u001b[2J' },
      params: { 'a\nb': 'c\r\nd' },
      tapes: [{ ...TAPE, symbol: 'B\nC_USDT' }],
      notices: ['first\nsecond\tthird \u001b[31m'],
    },
    [2, 1],
  ],
  [
    'wide characters',
    { ...LARGE, strategy: { ...REPORT.strategy, name: '比特币'.repeat(30) }, notices: ['🚀 比特 '.repeat(80)] },
    WAVE,
  ],
]

describe('the summary fits a screen of 80 x 24', () => {
  it.each(ODD)('with %s', (_, report, equity) => {
    expectToFit(report, equity)
  })

  it('has no control character but its line feeds, whatever it is given', () => {
    for (const [, report, equity] of ODD)
      expect(summary(report, equity, false, undefined).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('except for warnings, which are shown whole, before notes', () => {
    const notices = [...many(9, (index) => `warning ${index} ${'w'.repeat(70)}.`), 'a note', 'another note']
    const lines = linesOf({ ...LARGE, notices, warnings: 9 })
    expect(lines.filter((line) => line.startsWith('warning: '))).toHaveLength(9)
    expect(lines.filter((line) => line.includes('note'))).toEqual(['2 notes: see notices in run.json (--out)'])
  })

  it('whatever the numbers of parameters, tapes, assets, refusals and notices', () => {
    let full = 0
    const flattering = fc.boolean()
    const size = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 1, max: 12 }),
        size,
        size,
        size,
        flattering,
        (params, tapes, assets, fees, notices, isFlattered) => {
          const report: RunReport = {
            ...(isFlattered ? FULLEST : LARGE),
            params: Object.fromEntries(many(params, (index) => [`parameter${index}`, 'x'.repeat(index * 7)])),
            tapes: LARGE.tapes.slice(0, tapes),
            audit: {
              assets: Object.fromEntries(many(assets, (index) => [`COIN${index}`, index === 3 ? OFF : BALANCED])),
              ok: assets < 4,
            },
            config: REPORT.config,
            statistics: {
              ...REPORT.statistics,
              fees: Object.fromEntries(many(fees, (index) => [`COIN${index}`, '12.34'])),
            },
            notices: LARGE.notices.slice(0, notices),
          }
          expectToFit(report)
          expect(linesOf(report).some((line) => /^note: |^\d+ notes?: see/.test(line))).toBe(notices > 0)
          if (linesOf(report).length === SUMMARY_LINES) full += 1
        },
      ),
    )
    expect(full).toBeGreaterThan(0)
  })
})

describe('the summary on a terminal', () => {
  const notices = [
    'BTC_USDT is thinly traded: 159 fills used a quote more than 5 s old; use `--stale-after 5000`.',
    'A note.',
  ]
  const report = { ...REPORT, notices, warnings: 1, refusals: {}, firstRefusals: [] }
  const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => !/^[▁▂▃▄▅▆▇█]*$/.test(word))

  it.each([50, 64, 79])('of %i columns wraps between words, and loses none', (columns) => {
    const text = summary(report, WAVE, false, undefined, columns)
    expect(words(text)).toEqual(words(summary(report, WAVE, false, undefined)))
    // A digest is one word.
    for (const line of text.split('\n')) {
      if (!line.startsWith('digest')) expect(textWidth(line), line).toBeLessThanOrEqual(columns)
    }
  })

  it.each([140, 200])('of %i columns has two columns', (columns) => {
    const lines = summary(report, WAVE, false, undefined, columns).split('\n')
    expect(lines.length).toBeLessThan(linesOf(report).length)
    expect(lines[0]).toMatch(/^strategy {5}sma-cross \(papertape 0\.1\.0\) {43}warning: BTC_USDT is thinly traded/)
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns)
    const all = words(lines.join('\n')).toSorted()
    expect(all).toEqual(words(summary(report, WAVE, false, undefined)).toSorted())
    const coloured = summary(report, WAVE, true, undefined, columns)
    // eslint-disable-next-line no-control-regex -- colours are what is looked for
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(lines.join('\n'))
  })
})
