/**
 * `papertape twin`: a live or paper session against a backtest of the data that it received.
 */
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'

export const twinCommand: CliCommand = {
  command: 'twin <session>',
  describe: 'split the gap between a session and its backtest into causes',
  builder: async (yargs) =>
    yargs
      .positional('session', {
        type: 'string',
        describe: 'directory written by live or paper --out',
        demandOption: true,
      })
      .options((await import('./twin-flags.ts')).TWIN_FLAGS)
      .example('$0 twin session', '')
      .example('$0 twin session --out session-twin --taker-fee 10', ''),
  handler: async ({ session, ...values }) => {
    return await io.runStrategy({ command: 'twin', directory: String(session), values })
  },
}
