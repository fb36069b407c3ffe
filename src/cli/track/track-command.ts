/** `papertape track`: all sessions of a strategy as one record. */
import type { Options } from 'yargs'
import type { CliCommand } from '../cli-command.ts'
import { JSON_FLAG } from '../shared-flags.ts'

export const TRACK_FLAGS = {
  url: { type: 'string', requiresArg: true, describe: 'base URL of the service, if there are sessions on several' },
  kind: { type: 'string', requiresArg: true, describe: 'live or paper, if there are sessions of both' },
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

export const trackCommand: CliCommand = {
  command: 'track <name> [directories..]',
  describe: 'show all live or paper sessions of a strategy as one record',
  builder: (yargs) =>
    yargs
      .positional('name', { type: 'string', describe: 'name of the strategy in its sessions', demandOption: true })
      .positional('directories', {
        type: 'string',
        array: true,
        describe: 'directories of sessions, or of several (default: runs in your data directory)',
      })
      .options(TRACK_FLAGS)
      .example('$0 track sma-cross', '')
      .example('$0 track trend sessions/ --json', ''),
  handler: async ({ name, directories, url, kind, json }) => {
    const { showTrack } = await import('./run-track-command.ts')
    const places = ((directories ?? []) as readonly unknown[]).map(String)
    return showTrack(String(name), places, { url, kind, isJson: json === true })
  },
}
