/**
 * `papertape verify`: runs a run again, and compares.
 */
import type { CommandModule } from 'yargs'
import { notBeforeDone } from './process-end.ts'

export const verifyCommand: CommandModule = {
  command: 'verify <run>',
  describe: 'run a run directory again and compare all its files',
  builder: (yargs) =>
    yargs.positional('run', { type: 'string', describe: 'directory written by backtest --out', demandOption: true }),
  handler: async ({ run }) => {
    const { verifyRun } = await import('./run-verify-command.ts')
    process.exitCode = await notBeforeDone(() => verifyRun(String(run)))
  },
}
