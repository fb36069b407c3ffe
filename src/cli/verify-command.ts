/**
 * `papertape verify`: runs a run again, and compares.
 */
import type { CommandModule } from 'yargs'

export const verifyCommand: CommandModule = {
  command: 'verify <run>',
  describe: 'run a run directory again and compare all its files',
  builder: async (yargs) =>
    yargs
      .positional('run', { type: 'string', describe: 'directory written by backtest --out', demandOption: true })
      .options((await import('./verify-flags.ts')).VERIFY_FLAGS),
  handler: async ({ run, ...values }) => {
    const { inRunThread } = await import('./thread/run-thread.ts')
    process.exitCode = await inRunThread({ command: 'verify', directory: String(run), values })
  },
}
