/**
 * A shadow as its live process sees it: the output of the strategy goes to a file.
 */
import { closeSync, openSync } from 'node:fs'
import type { FailureReport } from '../../report/run/run-report.ts'
import type { LiveLoop } from '../../runtime/live/live-loop.ts'
import { WatchedProcess } from '../watched-process.ts'
import type { ShadowCommand, ShadowJob, ShadowMessage, ShadowRun } from './shadow-messages.ts'

/** A longer turn counts as an endless loop. */
const MAX_SILENT_S = 20
const MAX_END_MS = 10_000

interface ShadowListener {
  readonly onStart: (directory: string) => void
  /** It ended early, with the reason. Called once. */
  readonly onFailure: (why: string) => void
}

const failureText = ({ message, place }: Pick<FailureReport, 'message' | 'place'>): string =>
  place === null ? message : `${message} (${place})`

export class ShadowProcess {
  readonly #process: WatchedProcess<ShadowJob | ShadowCommand, ShadowMessage>
  readonly #listener: ShadowListener
  readonly #ended: Promise<ShadowRun | undefined>
  #finish: (run: ShadowRun | undefined) => void = () => undefined
  #isUserKnown = false

  /**
   * @param log  path of the file that gets its output
   * @throws if it cannot be started
   */
  constructor(job: ShadowJob, log: string, listener: ShadowListener) {
    this.#listener = listener
    this.#ended = new Promise((resolve) => {
      this.#finish = resolve
    })
    const output = openSync(log, 'a')
    try {
      const url = import.meta.url.replace(/shadow-process(\.[jt]s)$/, 'shadow-entry$1')
      this.#process = new WatchedProcess(
        url,
        { output },
        {
          onMessage: (message: ShadowMessage) => {
            this.#hear(message)
          },
          onLost: (why) => {
            this.#finish(undefined)
            listener.onFailure(why)
          },
        },
      )
    } finally {
      closeSync(output)
    }
    this.#process.send(job)
  }

  /** Call once a second. @param userId  of the account, whose own orders are no market data; undefined while unknown */
  look(userId: string | undefined): void {
    if (userId !== undefined && !this.#isUserKnown) this.#process.send({ type: 'user', userId })
    this.#isUserKnown = userId !== undefined
    this.#process.look(MAX_SILENT_S)
  }

  stop(): void {
    this.#process.send({ type: 'stop' })
  }

  /** Ends it without a word if it still runs. */
  kill(): void {
    this.#finish(undefined)
    this.#process.kill()
  }

  /** Stops it, and waits for its files. @returns undefined if it was lost, or ended before it started */
  async end(time: LiveLoop): Promise<ShadowRun | undefined> {
    this.stop()
    const timer = time.after(MAX_END_MS, () => {
      this.#process.lose(`it did not end within ${MAX_END_MS / 1000} s`)
    })
    const run = await this.#ended
    timer.cancel()
    return run
  }

  #hear(message: ShadowMessage): void {
    if (message.type === 'started') this.#listener.onStart(message.directory)
    else if (message.type === 'failed') this.#process.lose(message.message)
    else if (message.type === 'ended') {
      const { run } = message
      const failure =
        run === undefined ? { message: 'it was stopped before it started', place: null } : run.report.failure
      this.#process.end()
      this.#finish(run)
      if (failure !== null) this.#listener.onFailure(failureText(failure))
    }
  }
}
