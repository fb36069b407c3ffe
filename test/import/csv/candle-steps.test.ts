import { describe, expect, it } from 'vitest'
import { lengthText } from '../../../src/domain/candle-length.ts'
import { CandleSteps } from '../../../src/import/csv/candle-steps.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function stepsOf(times: readonly number[]): CandleSteps {
  const steps = new CandleSteps()
  for (const time of times) steps.add(time)
  return steps
}

/** Times of which each is a step after the one before; the first is on every grid. */
const afterSteps = (...steps: readonly number[]): readonly number[] => {
  let time = Date.UTC(2024, 0, 1)
  return [time, ...steps.map((step) => (time += step))]
}

const monthsOf = (count: number, by = 1, hour = 0): readonly number[] =>
  Array.from({ length: count }, (_, index) => Date.UTC(2024, index * by, 1, hour))

const many = (count: number, step: number): readonly number[] => Array.from({ length: count }, () => step)

describe('the length that the steps between candles show', () => {
  it.each`
    expected       | times                                                                            | why
    ${undefined}   | ${[0]}                                                                           | ${'one candle shows none'}
    ${'1h'}        | ${afterSteps(HOUR, HOUR, HOUR)}                                                  | ${'all alike'}
    ${'1h'}        | ${afterSteps(HOUR, 3 * HOUR, 18 * HOUR)}                                         | ${'multiples of one'}
    ${'1h'}        | ${afterSteps(...many(7, HOUR), 1043_000)}                                        | ${'the last candle was not over'}
    ${'1h'}        | ${afterSteps(...many(7, HOUR), 30 * MINUTE)}                                     | ${'the last candle was half over'}
    ${'1h'}        | ${afterSteps(...many(6, HOUR), 30 * MINUTE, 17.5 * HOUR, ...many(6, HOUR))}      | ${'a half hour before the close'}
    ${'5m'}        | ${afterSteps(15 * MINUTE, 10 * MINUTE, 15 * MINUTE)}                             | ${'sparse: none follows at once'}
    ${'1s'}        | ${afterSteps(...many(30, 1_000), ...many(40, 30_000), ...many(40, 29_000))}      | ${'sparse: few follow at once'}
    ${'1d'}        | ${afterSteps(DAY, DAY, 23 * HOUR, DAY)}                                          | ${'clocks go forward'}
    ${'1d'}        | ${afterSteps(DAY, 3 * DAY, DAY, 3 * DAY + HOUR)}                                 | ${'clocks go back over a weekend'}
    ${'1w'}        | ${afterSteps(7 * DAY, 7 * DAY - HOUR, 14 * DAY)}                                 | ${'weeks of a zone'}
    ${'1M'}        | ${monthsOf(5)}                                                                   | ${'months'}
    ${'1M'}        | ${[...monthsOf(3, 1, 5), ...monthsOf(6, 1, 4).slice(3)]}                         | ${'months of a zone'}
    ${'1M'}        | ${[...monthsOf(4), Date.UTC(2024, 4, 1), Date.UTC(2024, 4, 17)]}                 | ${'the last month was not over'}
    ${'1M'}        | ${monthsOf(2)}                                                                   | ${'two months'}
    ${'3M'}        | ${monthsOf(6, 3)}                                                                | ${'quarters'}
    ${'12M'}       | ${monthsOf(5, 12)}                                                               | ${'years'}
    ${'4w'}        | ${afterSteps(28 * DAY, 28 * DAY)}                                                | ${'four weeks are no month'}
    ${'30d'}       | ${afterSteps(30 * DAY, 30 * DAY, 30 * DAY)}                                      | ${'nor are thirty days'}
    ${'irregular'} | ${afterSteps(600_000, 1_000, 6_599_000, 10_800_000)}                             | ${'bars by volume, a second apart once'}
    ${'irregular'} | ${afterSteps(613_000, 17_000, 41_000, 2_000_000, 350_000, 77_000)}               | ${'bars by volume'}
    ${'irregular'} | ${afterSteps(...Array.from({ length: 5_000 }, (_, index) => 1_001 + index * 7))} | ${'more lengths than are counted'}
  `('$expected: $why', ({ expected, times }: { expected: string | undefined; times: readonly number[] }) => {
    const interval = stepsOf(times).interval()
    expect(typeof interval === 'number' ? lengthText(interval) : interval).toBe(expected)
  })

  it('says which steps are no multiples of it', () => {
    const steps = stepsOf(afterSteps(HOUR, HOUR, 90 * MINUTE, HOUR, 90 * MINUTE))
    expect(steps.odd(HOUR)).toEqual({ count: 2, first: Date.UTC(2024, 0, 1, 3, 30) })
    expect(steps.odd(30 * MINUTE)).toBeUndefined()
    expect([steps.hasShort(HOUR), steps.hasShort(HOUR + 1)]).toEqual([false, true])
  })
})
