/**
 * `papertape backtest --watch`, after its flags are parsed: one run, and another after each save, compared with the one
 * before.
 *
 * The strategy thread is reused; after a broken run a new one is started at the next save.
 */
import { basename } from 'node:path'
import type { RunReport } from '../../report/run/run-report.ts'
import { runDelta } from '../../report/summary/run-delta.ts'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import { configOfFlags } from './backtest-flags.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../flag-values.ts'
import { takeRunThread, type RunThread } from '../thread/run-thread.ts'
import type { WatchedRound } from '../thread/thread-messages.ts'
import { TypesThread } from '../types/types-thread.ts'
import { untilSignalled } from '../until-signalled.ts'
import { SourceWatch } from '../watch/source-watch.ts'
import { checkWatchable } from './watchable.ts'

/**
 * Runs until Ctrl-C.
 *
 * @returns the exit code
 * @throws {InputError} for an invalid flag, or one that --watch does not support
 */
export async function watchBacktest(strategy: string | undefined, values: FlagValues): Promise<number> {
  checkWatchable(configOfFlags(strategy, values))
  const signal = untilSignalled()
  io.life.outliveOutput()
  const watching = new WatchedBacktest(strategy, values)
  signal.addEventListener('abort', () => watching.end(EXIT.done), { once: true })
  return await watching.ended
}

class WatchedBacktest {
  readonly ended: Promise<number>
  readonly #strategy: string | undefined
  readonly #values: FlagValues
  readonly #types = new TypesThread()
  readonly #sources = new SourceWatch((names) => this.#onSave(names))
  #thread: RunThread | undefined
  /** Report of the last complete run. */
  #report: RunReport | undefined
  /** Files whose save started the run. */
  #saved: readonly string[] = []
  #begunAt = 0
  #isTold = false
  #isOver = false
  #end: (code: number) => void = () => undefined

  constructor(strategy: string | undefined, values: FlagValues) {
    this.#strategy = strategy
    this.#values = values
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#run()
  }

  end(code: number): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sources.close()
    this.#types.end()
    void Promise.resolve(this.#thread?.stop()).then(() => this.#end(code))
  }

  #onSave(names: readonly string[]): void {
    this.#saved = names
    this.#run()
  }

  #run(): void {
    this.#begunAt = Date.now()
    if (this.#thread === undefined) void this.#begin()
    else this.#thread.again()
  }

  /** Runs until its thread ends. */
  async #begin(): Promise<void> {
    const thread = takeRunThread()
    this.#thread = thread
    const { code } = await thread.run(
      { command: 'watch', strategy: this.#strategy, values: this.#values },
      {
        onRound: (round) => void this.#onRound(round),
        onSources: (files) => this.#sources.add(files, this.#begunAt, true),
      },
    )
    this.#thread = undefined
    if (!this.#isOver) this.#wait(code)
  }

  async #onRound({ shown, report, files }: WatchedRound): Promise<void> {
    const whole = report?.failure === null ? report : undefined
    this.#sources.add(files, this.#begunAt, whole === undefined)
    this.#tellSaved()
    if (whole !== undefined) {
      const before = this.#report
      io.stdout.write(before === undefined || !whole.audit.ok ? shown.stdout : runDelta(before, whole))
      this.#report = whole
    }
    io.stderr.write(shown.stderr)
    if (shown.pageOf !== undefined) {
      const { pageBeside } = await import('../page-beside.ts')
      io.stderr.write(pageBeside(shown.pageOf))
    }
    const begunAt = this.#begunAt
    const types = await this.#types.check(files)
    // A newer run reports its own types.
    if (this.#begunAt !== begunAt || this.#isOver) return
    io.stderr.write(types)
    this.#wait(shown.code)
  }

  /** Prints which save started the run, and how long it took. */
  #tellSaved(): void {
    if (this.#saved.length === 0) return
    const seconds = ((Date.now() - this.#begunAt) / 1_000).toFixed(2)
    io.stdout.write(`\n${printable(this.#saved.join(', '))} saved, ${seconds} s\n`)
    this.#saved = []
  }

  /** @param code  exit code of the finished run */
  #wait(code: number): void {
    if (this.#sources.isEmpty) {
      // No save can change the outcome, because a built-in strategy has no file.
      if (code === EXIT.done)
        io.stderr.write('--watch: nothing to watch, because a ready strategy runs without a config file\n')
      this.end(code === EXIT.done ? EXIT.input : code)
      return
    }
    if (code !== EXIT.done) io.stderr.write('waiting for the next save; press Ctrl-C to stop\n')
    else if (!this.#isTold) io.stderr.write(`\nwatching ${this.#watched()}; press Ctrl-C to stop\n`)
    this.#isTold ||= code === EXIT.done
  }

  #watched(): string {
    const name = printable(basename(this.#strategy ?? 'the strategy'))
    return `${name}, the files it imports and the config`
  }
}
