import { describe, expect, it } from 'vitest'
import { isWholeSteps, longestStepOf, leastStepOf, monthsLater, monthsOf, MONTH_MS } from '../../src/domain/calendar.ts'
import { closeTimeOf, lengthMsOf, lengthNameOf, openTimeOf } from '../../src/domain/candle-length.ts'
import { warmupBegin, warmupNeeds } from '../../src/strategy/warmup.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string): number => Date.parse(text)

describe('months', () => {
  it.each`
    from                  | months | expected              | why
    ${'2024-01-01'}       | ${1}   | ${'2024-02-01'}       | ${'from the first day'}
    ${'2024-12-01'}       | ${1}   | ${'2025-01-01'}       | ${'over the end of a year'}
    ${'2024-01-31T23:00'} | ${1}   | ${'2024-02-29T23:00'} | ${'midnight in Berlin is on the last day, which stays the last'}
    ${'2024-02-29T23:00'} | ${1}   | ${'2024-03-31T23:00'} | ${'also of a longer month'}
    ${'2024-01-30'}       | ${1}   | ${'2024-02-29'}       | ${'a day that the month does not have'}
    ${'2024-01-15T05:00'} | ${3}   | ${'2024-04-15T05:00'} | ${'a quarter'}
    ${'2024-03-01'}       | ${-2}  | ${'2024-01-01'}       | ${'back'}
  `('$months from $from is $expected: $why', ({ from, months, expected }: Record<string, string>) => {
    expect(monthsLater(at(`${from ?? ''}${from?.includes('T') === true ? 'Z' : ''}`), Number(months))).toBe(
      at(`${expected ?? ''}${expected?.includes('T') === true ? 'Z' : ''}`),
    )
  })

  it('have a length that stands for them, a name, an open and a close', () => {
    expect([lengthMsOf('1M'), lengthMsOf('3M'), lengthNameOf(12 * MONTH_MS), monthsOf(DAY)]).toEqual([
      MONTH_MS,
      3 * MONTH_MS,
      '12M',
      undefined,
    ])
    expect(openTimeOf(at('2024-05-17T12:00Z'), lengthMsOf('3M'))).toBe(at('2024-04-01'))
    expect(closeTimeOf(at('2024-04-01'), lengthMsOf('3M'))).toBe(at('2024-07-01'))
  })

  it('are whole in a warm-up, however long they are', () => {
    expect(warmupBegin(warmupNeeds({ '1M': 2 }), at('2024-09-05'))).toBe(at('2024-07-01'))
  })
})

describe('steps between candles', () => {
  it.each`
    lengthMs        | step           | isWhole  | why
    ${HOUR}         | ${3 * HOUR}    | ${true}  | ${'a multiple'}
    ${HOUR}         | ${90 * 60_000} | ${false} | ${'half an hour more'}
    ${DAY}          | ${25 * HOUR}   | ${true}  | ${'clocks go back'}
    ${DAY}          | ${71 * HOUR}   | ${true}  | ${'clocks go forward over a weekend'}
    ${DAY}          | ${22 * HOUR}   | ${false} | ${'no clock is moved by two hours'}
    ${MONTH_MS}     | ${29 * DAY}    | ${true}  | ${'a February'}
    ${MONTH_MS}     | ${59 * DAY}    | ${true}  | ${'two months'}
    ${MONTH_MS}     | ${16 * DAY}    | ${false} | ${'a month that is not over'}
    ${3 * MONTH_MS} | ${92 * DAY}    | ${true}  | ${'a quarter'}
  `('$step of $lengthMs: $why', ({ lengthMs, step, isWhole }: { lengthMs: number; step: number; isWhole: boolean }) => {
    expect(isWholeSteps(step, lengthMs)).toBe(isWhole)
    if (step < 1.5 * lengthMs) expect(step >= leastStepOf(lengthMs) && step <= longestStepOf(lengthMs)).toBe(isWhole)
  })
})
