/**
 * `papertape replay`: a finished run in a browser, forward and backward.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG } from '../shared-flags.ts'

export const REPLAY_FLAGS = {
  port: {
    type: 'string',
    requiresArg: true,
    describe: 'port of the page, reachable only from this machine (default: a free one)',
  },
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

export const replayCommand: CliCommand = {
  command: 'replay <run>',
  describe: 'step through a run in the browser, event by event',
  builder: (yargs) =>
    yargs
      .positional('run', {
        type: 'string',
        describe: 'directory written by backtest --out, paper or live',
        demandOption: true,
      })
      .options(REPLAY_FLAGS)
      .example('$0 replay backtest-run', ''),
  handler: async ({ run, port, json }) => {
    const { replayUntilStopped } = await import('./run-replay-command.ts')
    return await replayUntilStopped(String(run), { window: port ?? '0', json })
  },
}
