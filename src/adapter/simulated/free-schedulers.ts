/**
 * The schedulers of RxJS, of which there is one each in a process, free for the next run.
 *
 * One whose action was ended from outside takes itself to be in that action for ever, and one whose run was over first waits for a timer of
 * it: neither would call anything of the next run, without a word.
 */
import { animationFrameScheduler, asapScheduler, asyncScheduler, queueScheduler } from 'rxjs'

/** Forgets what a run has left in them. */
export function freeSchedulers(): void {
  for (const scheduler of [asyncScheduler, asapScheduler, queueScheduler, animationFrameScheduler]) {
    scheduler.actions.length = 0
    // Fields of RxJS that its types leave out.
    Object.assign(scheduler, { _active: false, _scheduled: undefined })
  }
}
