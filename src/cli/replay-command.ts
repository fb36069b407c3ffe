/**
 * `papertape replay`: a finished run in a browser, forward and backward.
 */
import type { CommandModule, Options } from 'yargs'

export const REPLAY_FLAGS = {
  port: {
    type: 'string',
    requiresArg: true,
    describe: 'port of the page, on this machine alone (default: a free one)',
  },
} as const satisfies Record<string, Options>

export const replayCommand: CommandModule = {
  command: 'replay <run>',
  describe: 'show a finished run in a browser, event by event, forward and backward',
  builder: (yargs) =>
    yargs
      .positional('run', {
        type: 'string',
        describe: 'directory written by backtest --out, or by a session',
        demandOption: true,
      })
      .options(REPLAY_FLAGS)
      .example('$0 replay backtest-run', ''),
  handler: async ({ run, port }) => {
    const { replayUntilStopped } = await import('./run-replay-command.ts')
    process.exitCode = await replayUntilStopped(String(run), { window: port ?? '0' })
  },
}
