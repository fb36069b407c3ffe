/** Runs the warm-up of a session on the loop of a process. */
import type { WarmAdapter } from '../session/warm-adapter.ts'
import type { LiveLoop } from './live-loop.ts'

/** Call in the event in which the strategy has started. @param onEnd  called as an event */
export function startWarm(warm: WarmAdapter | undefined, loop: LiveLoop, onEnd: () => void): void {
  if (warm === undefined) return
  loop.turn.outside(() => {
    warm.warmUp().then(
      () => {
        loop.enter(onEnd)
      },
      (error: unknown) => {
        loop.enter(() => {
          throw error
        })
      },
    )
  })
}
