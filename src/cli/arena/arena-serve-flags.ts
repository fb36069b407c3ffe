/** The flags of `papertape arena serve`: those of `serve`, without the settings that a season has in its file. */
import type { Options } from 'yargs'
import { SERVE_FLAGS } from '../serve/serve-flags.ts'

const OF_SEASON = ['config', 'state', 'world', 'seed']

export const ARENA_SERVE_FLAGS: Readonly<Record<string, Options>> = {
  ...Object.fromEntries(Object.entries(SERVE_FLAGS).filter(([name]) => !OF_SEASON.includes(name))),
  journal: {
    type: 'string',
    requiresArg: true,
    group: 'Markets and users:',
    describe: 'file of the journal (default: the season file with .journal)',
  },
}
