/**
 * The runs of `papertape backtest --watch`, in the thread that is for them: one after the other, over recordings that
 * are read once.
 *
 * Invariant: of a run that a save has overtaken nothing is told. Known limit: what a strategy leaves behind in its
 * thread, such as a global of its own or a timer, is there in the next run.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { heartbeat } from '../../runtime/heartbeat.ts'
import { KeptRecordings } from '../../runtime/backtest/kept-recordings.ts'
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

type Tell = (message: ThreadMessage) => void

/** Runs at once, and again at each message, for as long as the thread lives. */
export async function watchRuns(job: WatchJob, port: MessagePort, tell: Tell): Promise<never> {
  consoleToStderr(io.stderr)
  onWrittenPlace((place) => {
    tell({ type: 'place', place })
  })
  const runs = new WatchedRuns(job, tell)
  let isWanted = true
  let wake = (): void => undefined
  port.on('message', () => {
    isWanted = true
    runs.abort()
    wake()
  })
  for (;;) {
    // A run that waits for nothing that can still come ends the thread, which is told.
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
  readonly #tell: Tell
  readonly #recordings = new KeptRecordings()
  #controller = new AbortController()

  constructor(job: WatchJob, tell: Tell) {
    this.#job = job
    this.#tell = tell
  }

  /** Of the run that goes on. */
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
    if (!isOvertaken()) this.#tell({ type: 'round', round: { shown, report, files: this.#files() } })
  }

  async #shown(onReport: (report: RunReport) => void): Promise<Shown> {
    const { strategy, values: given } = this.#job
    // They would take twice as long again as the run, and are no part of what is compared.
    const values = { ...given, bounds: given.bounds ?? false }
    try {
      this.#tell({ type: 'limit', limit: turnLimitOf(values) ?? DEFAULT_TURN_LIMIT })
      return await backtestAndShow(strategy, values, undefined, {
        recordings: this.#recordings,
        signal: this.#controller.signal,
        onReport,
        onTurnLimit: (limit) => {
          this.#tell({ type: 'limit', limit })
        },
        onConfig: (config) => {
          checkWatchable(config)
          this.#tell({ type: 'sources', files: this.#files(config.strategy) })
        },
      })
    } catch (error) {
      return { code: exitCodeOf(error), stdout: '', stderr: `${await errorText(error, 'backtest')}\n` }
    }
  }

  /** Those that bear on the run and that the user writes. @param strategy  as it is named, before it is read */
  #files(strategy = this.#job.strategy): readonly string[] {
    const config = configFileOf(single('--config', this.#job.values.config as FlagText))
    const named = [config, strategy].flatMap((file) => (file === undefined ? [] : [resolve(file)]))
    const read = userFilesRead().filter(
      (file) => !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(READY_FOLDER),
    )
    return [...new Set([...named.filter((file) => existsSync(file)), ...read])]
  }
}
