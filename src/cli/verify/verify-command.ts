/**
 * `papertape verify`: runs a run again, and compares.
 */
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'

export const verifyCommand: CliCommand = {
  command: 'verify <run>',
  describe: 'run a backtest again and compare all its files',
  builder: async (yargs) =>
    yargs
      .positional('run', { type: 'string', describe: 'directory written by backtest --out', demandOption: true })
      .options((await import('./verify-flags.ts')).VERIFY_FLAGS),
  handler: async ({ run, ...values }) => {
    return await io.runStrategy({ command: 'verify', directory: String(run), values })
  },
}
