import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../../src/report/run/run-report.ts'
import { runDelta, shadowDelta } from '../../../src/report/summary/run-delta.ts'
import { shadowComparison } from '../../../src/report/run/shadow-comparison.ts'
import { textWidth } from '../../../src/report/terminal-text.ts'
import { REPORT } from '../rig/some-report.ts'

const OTHER: RunReport = {
  ...REPORT,
  digest: `sha256:${'f'.repeat(64)}`,
  finalEquity: '9876.5',
  orders: 1024,
  refusals: {},
  statistics: { ...REPORT.statistics, return: -0.012345, maxDrawdown: REPORT.statistics.maxDrawdown },
}

it('a run beside the one before it', () => {
  expect(runDelta(REPORT, OTHER)).toBe(`             before                now                   change
equity       10,123.4567 USDT      9,876.5 USDT          -246.9567
return       +1.23 %               -1.23 %               -2.47 points
drawdown     2.11 %                2.11 %
round trips  12                    12
orders       24                    1,024                 +1,000
refused      3                     0                     -3
fills        31                    31
digest       0123456789ab          ffffffffffff
`)
})

it('the same run is one line', () => {
  expect(runDelta(OTHER, OTHER)).toBe('no change: digest ffffffffffff, 9,876.5 USDT, 1,024 orders\n')
})

it('fits into 80 columns but for a number that is longer, and shows no change of what was not there', () => {
  const large: RunReport = {
    ...OTHER,
    finalEquity: `${'9'.repeat(30)}.12345678`,
    quoteAsset: 'ANOTHER',
    statistics: { ...OTHER.statistics, return: null },
  }
  const lines = runDelta(REPORT, large).trimEnd().split('\n')
  for (const line of lines.toSpliced(1, 1)) expect(textWidth(line)).toBeLessThanOrEqual(80)
  expect(lines[1]).toMatch(/^equity {7}10,123\.4567 USDT {6}999(,999){9}\.12345678 ANOTHER$/)
  expect(lines[2]).toBe('return       +1.23 %               n/a')
})

describe('a live run and its shadow', () => {
  it('as a table', () => {
    expect(shadowDelta(REPORT, OTHER)).toBe(`             live                  shadow                difference
strategy     sma-cross             sma-cross
at start     10,000 USDT           10,000 USDT
equity       10,123.4567 USDT      9,876.5 USDT          -246.9567
return       +1.23 %               -1.23 %               -2.47 points
drawdown     2.11 %                2.11 %
round trips  12                    12
orders       24                    1,024                 +1,000
refused      3                     0                     -3
fills        31                    31
fees         12.5 USDT             12.5 USDT
`)
  })

  it('as figures: those of the shadow minus those of the live run, and null where one is unknown', () => {
    const unpriced = { ...OTHER, statistics: { ...OTHER.statistics, feesInQuote: null } }
    expect(shadowComparison(REPORT, OTHER).difference).toEqual({
      ...{ initialEquity: '0', finalEquity: '-246.9567', return: expect.closeTo(-0.02469067), maxDrawdown: 0 },
      ...{ fees: '0', orders: 1_000, fills: 0 },
    })
    expect(shadowComparison(REPORT, unpriced).difference.fees).toBeNull()
  })
})
