import { expect, it } from 'vitest'
import { ReplayClock, VirtualClock } from '../../../src/simulation/clocks/virtual-clock.ts'

it('moves only when it is set, and never goes back', () => {
  const machine = new VirtualClock(7_000_000)
  const clock = new ReplayClock(100, machine)
  machine.advance(50)
  expect(clock.now()).toBe(100)
  clock.moveTo(300)
  clock.moveTo(200)
  expect(clock.now()).toBe(300)
})

it('takes the pace of the machine once it runs, from where it stands', () => {
  const machine = new VirtualClock(7_000_000)
  const clock = new ReplayClock(100, machine)
  clock.moveTo(300)
  clock.run()
  machine.advance(50)
  expect(clock.now()).toBe(350)
})
