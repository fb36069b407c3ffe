import { afterEach, expect, it, vi } from 'vitest'
import { HOUR_MS } from '../../../src/domain/time.ts'
import { MACHINE_CLOCK } from '../../../src/server/service/machine-clock.ts'
import { RunningClock } from '../../../src/simulation/clocks/virtual-clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** The wall clock alone: what runs by itself goes on. */
const setWallClock = (byMs: number): void => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now + byMs)
}

it('begins at the time of the wall', () => {
  expect(Math.abs(MACHINE_CLOCK.now() - Date.now())).toBeLessThan(HOUR_MS)
  expect(Number.isInteger(MACHINE_CLOCK.now())).toBe(true)
})

it.each([
  ['an hour back', -HOUR_MS],
  ['two days forward', 48 * HOUR_MS],
])('goes on as before when the wall clock is set %s', async (_, byMs) => {
  const running = new RunningClock(100, MACHINE_CLOCK)
  const before = MACHINE_CLOCK.now()
  setWallClock(byMs)
  while (MACHINE_CLOCK.now() === before) await new Promise(setImmediate)
  const passed = MACHINE_CLOCK.now() - before
  expect(passed).toBeGreaterThan(0)
  expect(passed).toBeLessThan(HOUR_MS / 2)
  expect(running.now()).toBeGreaterThan(100)
  expect(running.now()).toBeLessThan(100 + HOUR_MS / 2)
})
