import { describe, expect, it } from 'vitest'
import { chosenFigures, deviations } from '../../../src/report/expectation/expected-figures.ts'
import type { RunReport } from '../../../src/report/run/run-report.ts'

const reportWith = (fields: object, statistics: object = {}): RunReport =>
  ({ digest: 'sha256:a', ...fields, statistics }) as unknown as RunReport

describe('a figure within its tolerance', () => {
  it.each`
    value      | tolerance   | now          | isWithin | why
    ${'100.1'} | ${'0'}      | ${'100.1'}   | ${true}  | ${'no difference'}
    ${'100.1'} | ${'0'}      | ${'100.10'}  | ${true}  | ${'the same number in other digits'}
    ${'100.1'} | ${'0'}      | ${'100.2'}   | ${false} | ${'any difference'}
    ${'0.3'}   | ${'0.1'}    | ${'0.2'}     | ${true}  | ${'exact arithmetic at the limit'}
    ${'100'}   | ${'1%'}     | ${'99'}      | ${true}  | ${'a share at the limit'}
    ${'-100'}  | ${'1%'}     | ${'-101.01'} | ${false} | ${'a share of the amount, whatever its sign'}
    ${'0'}     | ${'50%'}    | ${'0.0001'}  | ${false} | ${'a share of nothing is nothing'}
    ${null}    | ${'100000'} | ${'1'}       | ${false} | ${'a figure that was not there'}
    ${null}    | ${'0'}      | ${null}      | ${true}  | ${'still not there'}
  `('$why: $value, tolerance $tolerance, $now', ({ value, tolerance, now, isWithin }) => {
    const found = deviations({ finalEquity: { value, tolerance } }, reportWith({ finalEquity: now }))
    expect(found).toEqual(isWithin === true ? [] : [{ name: 'finalEquity', value, tolerance, now }])
  })

  it('compares statistics and digests by their own rules', () => {
    const report = reportWith({}, { sharpe: 1.5 })
    expect(deviations({ sharpe: { value: 1.25, tolerance: '0.25' } }, report)).toEqual([])
    expect(deviations({ digest: { value: 'sha256:b', tolerance: '0' } }, report)).toHaveLength(1)
    expect(deviations({ digest: { value: 'sha256:a', tolerance: '0' } }, report)).toEqual([])
  })
})

describe('chosen figures', () => {
  it('are the usual ones by default, without tolerance', () => {
    expect([...chosenFigures('--figure', [])]).toEqual(
      ['finalEquity', 'return', 'maxDrawdown', 'sharpe', 'roundTrips', 'orders', 'fills'].map((name) => [name, '0']),
    )
  })

  it.each`
    texts                      | why
    ${['digest=1']}            | ${'a digest is the same or not'}
    ${['return=-1']}           | ${'expected a tolerance'}
    ${['return', 'return=1%']} | ${'given twice'}
    ${['toString']}            | ${"no figure 'toString'"}
  `('$texts: $why', ({ texts, why }) => {
    expect(() => chosenFigures('--figure', texts as string[])).toThrow(String(why))
  })
})
