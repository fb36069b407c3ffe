/**
 * Runs something as an event of a live session, for whoever comes out of a promise and goes on when it has run.
 */
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
