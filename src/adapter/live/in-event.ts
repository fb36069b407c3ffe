/** Runs a function as an event of a live session, for promise code that continues once it has run. */
import type { LiveTime } from './live-time.ts'

export const inEvent = <T>(time: LiveTime, action: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    time.enter(() => {
      try {
        resolve(action())
      } catch (error) {
        reject(error instanceof Error ? error : new Error('a value that is not an Error was thrown', { cause: error }))
      }
    })
  })
