/** Executes a command in the strategy thread. */
import type { BoundsElsewhere } from '../runtime/backtest/liquidity-bounds.ts'
import { onWrittenPlace } from '../store/runs/pending-runs.ts'
import { backtestAndShow } from './backtest/run-backtest-command.ts'
import type { BacktestConfig } from './config/backtest-config.ts'
import { io } from './cli-io.ts'
import { consoleToStderr } from './console-to-stderr.ts'
import { errorText } from './error-text.ts'
import { exitCodeOf } from './exit-code.ts'
import type { Shown, SingleJob, ThreadMessage } from './thread/thread-messages.ts'
import { turnLimitOf } from './thread/turn-limit.ts'
import { DEFAULT_TURN_LIMIT } from '../runtime/turn-watch.ts'

/** Output settings of a run that is only written to a directory. */
const ONLY_FILES = {
  ...{ bounds: false, quiet: true, force: undefined },
  ...{ db: undefined, countTrials: undefined, json: undefined },
} as const satisfies BacktestConfig

async function showAnother({
  command,
  directory,
  values,
}: Extract<SingleJob, { command: 'fork' | 'twin' }>): Promise<Shown> {
  if (command === 'fork') return await (await import('./fork/run-fork-command.ts')).forkAndShow(directory, values)
  return await (await import('./twin/run-twin-command.ts')).twinAndShow(directory, values)
}

/** @param elsewhere  runs part of the bounding runs @returns the output, also of a failed command */
export async function runJob(
  job: SingleJob,
  elsewhere: BoundsElsewhere | undefined,
  report: (message: ThreadMessage) => void,
): Promise<Shown> {
  consoleToStderr(io.stderr)
  onWrittenPlace((place) => {
    report({ type: 'place', place })
  })
  try {
    report({ type: 'limit', limit: turnLimitOf(job.values) ?? DEFAULT_TURN_LIMIT })
    if (job.command === 'verify') {
      const { verifyRun } = await import('./verify/run-verify-command.ts')
      return await verifyRun(job.directory, job.values.json === true)
    }
    if (job.command === 'fork' || job.command === 'twin') return await showAnother(job)
    if (job.command === 'check') {
      const { checkAndShow } = await import('./check/run-check-command.ts')
      return await checkAndShow(job.strategy, job.values)
    }
    return await backtestAndShow(job.strategy, job.values, elsewhere, {
      overrides: job.into === undefined ? undefined : { ...ONLY_FILES, out: job.into },
      onTurnLimit: (limit) => {
        report({ type: 'limit', limit })
      },
    })
  } catch (error) {
    return { code: exitCodeOf(error), stdout: '', stderr: `${await errorText(error, job.command)}\n` }
  }
}
