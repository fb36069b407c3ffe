import { expect, it } from 'vitest'
import { RunningClock, VirtualClock } from '../../../src/simulation/clocks/virtual-clock.ts'

it.each`
  speed        | passed  | now      | why
  ${undefined} | ${0}    | ${100}   | ${'begins at its own time'}
  ${undefined} | ${2500} | ${2600}  | ${'runs with the machine'}
  ${10}        | ${2500} | ${25100} | ${'runs ten times as fast'}
  ${0.1}       | ${15}   | ${101}   | ${'shows whole milliseconds'}
`('$why: after $passed ms at speed $speed it shows $now', ({ speed, passed, now }) => {
  const machine = new VirtualClock(7_000_000)
  const clock = new RunningClock(100, machine, speed)
  machine.advance(passed)
  expect(clock.now()).toBe(now)
})
