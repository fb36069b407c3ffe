import { describe, expect, it } from 'vitest'
import { ExchangeClock } from '../../../../src/adapter/live/market-data/exchange-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../src/domain/time.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'

describe('the time of a trade', () => {
  it.each`
    aheadMs           | isAccepted | why
    ${-HOUR_MS}       | ${true}    | ${'old trades are possible'}
    ${4_000}          | ${true}    | ${'clocks are off by a little'}
    ${10 * MINUTE_MS} | ${false}   | ${'no trade has happened yet at that time'}
  `('$aheadMs ms ahead of the clock: $why', ({ aheadMs, isAccepted }: { aheadMs: number; isAccepted: boolean }) => {
    const time = new FakeLiveTime()
    const clock = new ExchangeClock(time)
    clock.accepts(time.now())
    expect(clock.accepts(time.now() + aheadMs)).toBe(isAccepted)
    expect(clock.now()).toBe(time.now())
  })

  it('is not believed however many are ahead, while others are within bounds or for five minutes', async () => {
    const time = new FakeLiveTime()
    const clock = new ExchangeClock(time)
    clock.accepts(time.now())
    for (let each = 0; each < 200; each += 1) {
      expect(clock.accepts(time.now() + HOUR_MS)).toBe(false)
      await time.pass(1_000)
    }
    expect(clock.accepts(time.now())).toBe(true)
    for (let each = 0; each < 200; each += 1) {
      expect(clock.accepts(time.now() + HOUR_MS)).toBe(false)
      await time.pass(1_000)
    }
  })

  it('is believed after five minutes in which the clock of the exchange was ahead', async () => {
    const time = new FakeLiveTime()
    const clock = new ExchangeClock(time)
    clock.accepts(time.now())
    clock.accepts(time.now() + HOUR_MS)
    await time.pass(5 * MINUTE_MS)
    clock.accepts(time.now() + HOUR_MS)
    expect(clock.accepts(time.now() + HOUR_MS)).toBe(true)
    expect(clock.now()).toBe(time.now() + HOUR_MS)
  })

  it('shows an exchange hours ahead from three trades on, or from those before the beginning', async () => {
    const time = new FakeLiveTime()
    const late = new ExchangeClock(time)
    expect([1, 2, 3, 4].map(() => late.accepts(time.now() + 3 * HOUR_MS))).toEqual([false, false, true, true])
    const early = new ExchangeClock(time)
    early.begin([1, 2, 3].map((age) => time.now() + 3 * HOUR_MS - age * MINUTE_MS))
    await time.pass(MINUTE_MS)
    expect(early.accepts(time.now() + 3 * HOUR_MS)).toBe(true)
    expect(early.now()).toBe(time.now() + 3 * HOUR_MS)
  })
})
