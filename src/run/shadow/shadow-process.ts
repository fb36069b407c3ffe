/**
 * A shadow as its live process sees it.
 *
 * Invariant: whatever the shadow does, the live process goes on. It reads a few small messages, and kills a shadow that
 * does not respond. The output of the strategy goes to a file.
 */
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { thrownText } from '../../domain/thrown-text.ts'
import type { FailureReport } from '../../report/run/run-report.ts'
import type { LiveLoop } from '../../runtime/live/live-loop.ts'
import { exitText, forkEntry } from '../child-process.ts'
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
  readonly #child: ChildProcess
  readonly #listener: ShadowListener
  readonly #ended: Promise<ShadowRun | undefined>
  #finish: (run: ShadowRun | undefined) => void = () => undefined
  #isOver = false
  #isUserKnown = false
  #silentS = 0

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
      this.#child = forkEntry(import.meta.url.replace(/shadow-process(\.[jt]s)$/, 'shadow-entry$1'), output)
    } finally {
      closeSync(output)
    }
    this.#child.on('message', (message: ShadowMessage) => {
      this.#hear(message)
    })
    this.#child.once('error', (error) => {
      this.#lose(thrownText(error))
    })
    this.#child.once('exit', (code, signal) => {
      this.#lose(exitText(code, signal))
    })
    this.#send(job)
  }

  /** Call once a second. @param userId  of the account, whose own orders are no market data; undefined while unknown */
  look(userId: string | undefined): void {
    if (userId !== undefined && !this.#isUserKnown) this.#send({ type: 'user', userId })
    this.#isUserKnown = userId !== undefined
    this.#silentS += 1
    if (this.#silentS > MAX_SILENT_S) this.#lose(`it did not respond for ${MAX_SILENT_S} s`)
  }

  stop(): void {
    this.#send({ type: 'stop' })
  }

  /** Ends it without a word if it still runs. */
  kill(): void {
    if (this.#isOver) return
    this.#over(undefined)
    this.#child.kill('SIGKILL')
  }

  /** Stops it, and waits for its files. @returns undefined if it was lost, or ended before it started */
  async end(time: LiveLoop): Promise<ShadowRun | undefined> {
    this.stop()
    const timer = time.after(MAX_END_MS, () => {
      this.#lose(`it did not end within ${MAX_END_MS / 1000} s`)
    })
    const run = await this.#ended
    timer.cancel()
    return run
  }

  #send(message: ShadowJob | ShadowCommand): void {
    if (this.#isOver) return
    try {
      this.#child.send(message, () => undefined)
    } catch (error) {
      // A program may pass parameters that no message can have.
      this.#lose(thrownText(error))
    }
  }

  #hear(message: ShadowMessage): void {
    this.#silentS = 0
    if (message.type === 'started') this.#listener.onStart(message.directory)
    else if (message.type === 'failed') this.#lose(message.message)
    else if (message.type === 'ended') {
      const { run } = message
      const failure =
        run === undefined ? { message: 'it was stopped before it started', place: null } : run.report.failure
      this.#over(run)
      if (failure !== null) this.#listener.onFailure(failureText(failure))
    }
  }

  #lose(why: string): void {
    if (this.#isOver) return
    this.kill()
    this.#listener.onFailure(why)
  }

  /** The process ends when it is disconnected. */
  #over(run: ShadowRun | undefined): void {
    this.#isOver = true
    if (this.#child.connected) this.#child.disconnect()
    this.#finish(run)
  }
}
