/**
 * Live time of the machine, for tests over real sockets.
 */
import type { LiveTime, LiveTimer } from '../../../../src/adapter/live/live-time.ts'

export class MachineLiveTime implements LiveTime {
  now(): number {
    return Date.now()
  }

  monotonic(): number {
    return performance.now()
  }

  after(delayMs: number, action: () => void): LiveTimer {
    const timer = setTimeout(action, delayMs)
    return {
      cancel: () => {
        clearTimeout(timer)
      },
    }
  }

  atTime(time: number, action: () => void): void {
    this.after(time - this.now(), action)
  }

  enter(action: () => void): void {
    action()
  }
}
