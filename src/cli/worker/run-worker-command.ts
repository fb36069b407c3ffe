/**
 * `papertape worker`, once its flags are read.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { sweepWorker, type SweepWorkerEvent } from '../../run/sweep/machines/sweep-worker.ts'
import { MAX_WORKERS } from '../../run/sweep/thread-pool.ts'
import { integer } from '../../runtime/settings/form.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../cli-command.ts'
import { type FlagText, single } from '../option-values.ts'
import { givenRedisUrl } from '../redis-url.ts'
import { untilSignalled } from '../until-signalled.ts'

const REDRAW_MS = 200
/** Interval of status lines without a terminal. */
const PLAIN_LINE_MS = 10_000

/** One line of JSON; for a point only its key and error. */
export function eventJson(event: SweepWorkerEvent): string {
  if (event.type !== 'done') return `${JSON.stringify(event)}\n`
  const { key, error } = event.outcome
  return `${JSON.stringify({ type: 'done', key, error })}\n`
}

export interface WorkerOutputOptions {
  /** Writes to stdout. */
  readonly write: (text: string) => void
  /** Writes a line to stderr. */
  readonly report: (line: string) => void
  readonly isQuiet: boolean
  /** True if a line can be redrawn. */
  readonly isTerminal: boolean
  /** Milliseconds. */
  readonly clock: () => number
}

/** Events of a worker as lines for people, or as JSON lines. */
export class WorkerOutput {
  readonly #options: WorkerOutputOptions
  #done = 0
  #errors = 0
  #lastFault: string | undefined
  #drawnAt = Number.NEGATIVE_INFINITY
  #isDrawn = false

  constructor(options: WorkerOutputOptions) {
    this.#options = options
  }

  hear(event: SweepWorkerEvent): void {
    if (event.type === 'ready') {
      const { version, workers, redis } = event
      this.#say(`papertape ${version} worker: ${readableCount(workers, 'thread')}, points from ${redis}`)
    } else if (event.type === 'sweep') this.#say(`${event.strategy} on ${[...new Set(event.tapes)].join(', ')}`)
    else if (event.type === 'done') this.#count(event.outcome.error !== null)
    else if (event.type === 'fault') this.#fault(event.text)
    else this.#warn(event.state === 'gone' ? 'Redis does not respond; waiting' : 'Redis responds again')
  }

  /** Retries repeat every few seconds, so a repeated fault is printed once. */
  #fault(text: string): void {
    if (text !== this.#lastFault) this.#warn(`this machine cannot run a point and leaves it to others: ${text}`)
    this.#lastFault = text
  }

  #say(text: string): void {
    if (this.#options.isQuiet) return
    this.#clear()
    this.#options.write(`${printable(text)}\n`)
  }

  #warn(text: string): void {
    this.#clear()
    this.#options.report(printable(`worker: ${text}`))
  }

  #count(isError: boolean): void {
    this.#done += 1
    this.#errors += isError ? 1 : 0
    this.#lastFault = undefined
    const { isQuiet, isTerminal, clock, write } = this.#options
    const now = clock()
    if (isQuiet || now - this.#drawnAt < (isTerminal ? REDRAW_MS : PLAIN_LINE_MS)) return
    this.#drawnAt = now
    const failed = this.#errors === 0 ? '' : `, ${this.#errors} with an error`
    const text = `${readableCount(this.#done, 'point')} done${failed}`
    write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`)
    this.#isDrawn = isTerminal
  }

  #clear(): void {
    if (this.#isDrawn) this.#options.write('\r\u001b[K')
    this.#isDrawn = false
  }
}

/**
 * Works until a signal, and finishes the running points; the second signal ends the process immediately.
 *
 * @returns the exit code
 */
export async function workUntilStopped(values: FlagValues): Promise<number> {
  const redis = givenRedisUrl(values)
  if (redis === undefined) throw new InputError('--redis', 'expected a URL such as redis://127.0.0.1:6379')
  const workers = single('--workers', values.workers as FlagText)
  const signal = untilSignalled()
  io.life.outliveOutput()
  const hear = listenerOf(values)
  const onStop = (): void => {
    if (values.json !== true && values.quiet !== true) {
      io.life.report(
        'worker: stopping after the current points; press Ctrl-C again to quit now and leave them to other workers',
      )
    }
  }
  signal.addEventListener('abort', onStop, { once: true })
  await sweepWorker({
    redis,
    workers: workers === undefined ? undefined : integer(1, MAX_WORKERS).ofText(setting('workers'), workers),
    cache: single('--cache', values.cache as FlagText),
    packages: single('--packages', values.packages as FlagText),
    signal,
    onEvent: hear,
  })
  return EXIT.done
}

function listenerOf({ json, quiet }: FlagValues): (event: SweepWorkerEvent) => void {
  if (json === true) return (event) => void io.stdout.write(eventJson(event))
  const output = new WorkerOutput({
    write: (text) => void io.stdout.write(text),
    report: (line) => {
      io.life.report(line)
    },
    isQuiet: quiet === true,
    isTerminal: io.stdout.isTTY === true,
    clock: Date.now,
  })
  return (event) => {
    output.hear(event)
  }
}
