/**
 * `papertape fork`: a finished backtest again, with one thing changed from a moment on.
 */
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'

export const forkCommand: CliCommand = {
  command: 'fork <run>',
  describe: 'continue a backtest from a moment with one thing changed',
  builder: async (yargs) =>
    yargs
      .positional('run', { type: 'string', describe: 'directory written by backtest --out', demandOption: true })
      .options((await import('./fork-flags.ts')).FORK_FLAGS)
      .example('$0 fork run --at 2024-01-20 --set fast=12', '')
      .example('$0 fork run --without 17', ''),
  handler: async ({ run, ...values }) => {
    return await io.runStrategy({ command: 'fork', directory: String(run), values })
  },
}
