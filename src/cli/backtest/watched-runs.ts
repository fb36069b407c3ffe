/**
 * The runs of `papertape backtest --watch` in the strategy thread, in sequence, with recordings that are read once.
 *
 * Invariant: a run overtaken by a save reports nothing. Known limit: state that a strategy leaves in its thread, such
 * as globals or timers, persists in the next run.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { heartbeat } from '../../runtime/heartbeat.ts'
import { RecordingCache } from '../../runtime/backtest/recording-cache.ts'
import { READY_FOLDER } from '../../runtime/strategies/ready-strategies.ts'
import { userFilesRead } from '../../runtime/modules/user-place.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { onWrittenPlace } from '../../store/runs/pending-runs.ts'
import { io } from '../cli-io.ts'
import { backtestAndShow } from './run-backtest-command.ts'
import { configFileOf } from '../config/config-file.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import { errorText } from '../error-text.ts'
import { exitCodeOf } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import type { Shown, ThreadMessage, WatchJob } from '../thread/thread-messages.ts'
import { DEFAULT_TURN_LIMIT } from '../../runtime/turn-watch.ts'
import { turnLimitOf } from '../thread/turn-limit.ts'
import { checkWatchable } from './watchable.ts'

type Report = (message: ThreadMessage) => void

/** Runs immediately, and again after each message. */
export async function watchRuns(job: WatchJob, port: MessagePort, report: Report): Promise<never> {
  consoleToStderr(io.stderr)
  onWrittenPlace((place) => {
    report({ type: 'place', place })
  })
  const runs = new WatchedRuns(job, report)
  let isWanted = true
  let wake = (): void => undefined
  port.on('message', () => {
    isWanted = true
    runs.abort()
    wake()
  })
  for (;;) {
    // A run that waits for an impossible event lets the thread exit, which is reported.
    port.unref()
    while (isWanted) {
      isWanted = false
      await runs.run(() => isWanted)
    }
    heartbeat().enter('waiting')
    port.ref()
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

class WatchedRuns {
  readonly #job: WatchJob
  readonly #report: Report
  readonly #recordings = new RecordingCache()
  #controller = new AbortController()

  constructor(job: WatchJob, report: Report) {
    this.#job = job
    this.#report = report
  }

  /** Aborts the present run. */
  abort(): void {
    this.#controller.abort()
  }

  async run(isOvertaken: () => boolean): Promise<void> {
    this.#controller = new AbortController()
    heartbeat().enter('ours')
    let report: RunReport | undefined
    const shown = await this.#shown((each) => {
      report = each
    })
    if (!isOvertaken()) this.#report({ type: 'round', round: { shown, report, files: this.#files() } })
  }

  async #shown(onReport: (report: RunReport) => void): Promise<Shown> {
    const { strategy, values: given } = this.#job
    // Off by default: bounds would triple the run time, and are not compared.
    const values = { ...given, bounds: given.bounds ?? false }
    try {
      this.#report({ type: 'limit', limit: turnLimitOf(values) ?? DEFAULT_TURN_LIMIT })
      return await backtestAndShow(strategy, values, undefined, {
        recordings: this.#recordings,
        signal: this.#controller.signal,
        onReport,
        onTurnLimit: (limit) => {
          this.#report({ type: 'limit', limit })
        },
        onConfig: (config) => {
          checkWatchable(config)
          this.#report({ type: 'sources', files: this.#files(config.strategy) })
        },
      })
    } catch (error) {
      return { code: exitCodeOf(error), stdout: '', stderr: `${await errorText(error, 'backtest')}\n` }
    }
  }

  /** Files of the user that influence the run. @param strategy  as named, for files before they are read */
  #files(strategy = this.#job.strategy): readonly string[] {
    const config = configFileOf(single('--config', this.#job.values.config as FlagText))
    const named = [config, strategy].flatMap((file) => (file === undefined ? [] : [resolve(file)]))
    const read = userFilesRead().filter(
      (file) => !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(READY_FOLDER),
    )
    return [...new Set([...named.filter((file) => existsSync(file)), ...read])]
  }
}
