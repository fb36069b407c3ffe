/**
 * Live time of the machine, for a program that has no session: callbacks run as they come.
 *
 * Known limitation: it follows a wall clock that is set back.
 */
import type { LiveTime, LiveTimer } from './live-time.ts'
import { MACHINE_CLOCKS } from './machine-clocks.ts'

export class MachineLiveTime implements LiveTime {
  now(): number {
    return MACHINE_CLOCKS.wall()
  }

  monotonic(): number {
    return MACHINE_CLOCKS.monotonic()
  }

  after(delayMs: number, action: () => void): LiveTimer {
    return { cancel: MACHINE_CLOCKS.setTimer(delayMs, action) }
  }

  atTime(time: number, action: () => void): void {
    this.after(time - this.now(), action)
  }

  enter(action: () => void): void {
    action()
  }
}
