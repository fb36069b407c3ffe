import { describe, expect, it } from 'vitest'
import { robustnessSentences, robustnessTable, sensitivityOf } from '../../src/report/robustness-text.ts'
import type { PointOutcome } from '../../src/sweep/point-outcome.ts'
import { robustnessOf } from '../../src/sweep/robustness.ts'

/** @param made  undefined for a failed run */
const outcome = (params: Readonly<Record<string, string>>, made: number | undefined): PointOutcome =>
  ({
    params,
    digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
    statistics: made === undefined ? null : { return: made, maxDrawdown: 0.1 },
  }) as unknown as PointOutcome

const VALUES = new Map([
  ['fast', ['5']],
  ['--seed', ['1', '2']],
  ['--taker-fee', ['0', '10']],
])
const worlds = (returns: readonly (number | undefined)[]): readonly PointOutcome[] =>
  returns.map((made, index) =>
    outcome({ fast: '5', '--seed': String(1 + (index >> 1)), '--taker-fee': index % 2 === 0 ? '0' : '10' }, made),
  )

describe('robustness', () => {
  it('orders settings by the difference of their medians, and ignores those with one value', () => {
    const report = robustnessOf(VALUES, worlds([0.2, -0.1, 0.3, 0]))
    expect(report).toMatchObject({ worlds: 4, failed: 0, profitable: 0.5, median: 0.1 })
    expect(report.worst).toMatchObject({ return: -0.1, settings: { '--seed': '1', '--taker-fee': '10' } })
    expect(report.best).toMatchObject({ return: 0.3 })
    expect(report.settings.map(({ setting, effect }) => [setting, effect?.toFixed(3)])).toEqual([
      ['--taker-fee', '0.300'],
      ['--seed', '0.100'],
    ])
    expect(robustnessSentences(report)).toEqual([
      '50.00 % of 4 worlds end with a profit: median return +10.00 %, from -10.00 % to +30.00 %.',
      'Most sensitive to --taker-fee: the median return is +25.00 % with 0, and -5.00 % with 10.',
      'Random seeds alone move it by 10.00 %: smaller effects may be chance.',
      'Worst world: --param fast=5 --seed 1 --taker-fee 10, return -10.00 %, drawdown 10.00 %, digest 01234567.',
    ])
  })

  it('counts failed worlds, and leaves them out of the medians', () => {
    const report = robustnessOf(VALUES, worlds([0.2, undefined, 0.3, undefined]))
    expect(report).toMatchObject({ worlds: 4, failed: 2, profitable: 1 })
    expect(report.settings.find(({ setting }) => setting === '--taker-fee')?.values[1]).toEqual({
      value: '10',
      worlds: 0,
      profitable: null,
      median: null,
      worst: null,
    })
    expect(robustnessTable(report)).toContain('10          0       -         -         -')
    expect(robustnessSentences(robustnessOf(VALUES, worlds([undefined])))).toEqual(['The only world failed.'])
  })

  it('compares worlds that differ in one setting each with the run alone', () => {
    const base = { '--seed': '1', '--taker-fee': '0', '--queue': '1' }
    const near = [
      outcome(base, 0.1),
      outcome({ ...base, '--seed': '2' }, 0.4),
      outcome({ ...base, '--taker-fee': '10' }, 0.05),
      outcome({ ...base, '--queue': '0' }, -0.3),
    ]
    const values = new Map([['--seed', ['1', '2']], ['--taker-fee', ['0', '10']], ['--queue', ['1', '0']]]) // prettier-ignore
    const report = robustnessOf(values, near, base)
    expect(report.settings.map(({ setting }) => setting)).toEqual(['--queue', '--seed', '--taker-fee'])
    for (const { values: [own] } of report.settings) expect(own).toMatchObject({ worlds: 1, median: 0.1, worst: 0.1 }) // prettier-ignore
    expect(sensitivityOf(report)).toBe(
      '--queue: -30.00 % with 0, +10.00 % with 1; 75 % of the run and its 3 near worlds end with a profit',
    )
  })

  it('shows of many values the lowest and the highest', () => {
    const seeds = Array.from({ length: 9 }, (_, index) => String(index))
    const report = robustnessOf(new Map([['--seed', seeds]]), seeds.map((seed) => outcome({ '--seed': seed }, Number(seed) / 100))) // prettier-ignore
    const lines = robustnessTable(report).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('0 (lowest of 9)')
    expect(lines[2]).toContain('8 (highest of 9)')
  })
})
