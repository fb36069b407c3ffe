/**
 * The flags of `papertape serve`.
 */
import type { Options } from 'yargs'

const text = (group: string, describe: string): Options => ({ type: 'string', requiresArg: true, group, describe })
const toggle = (group: string, describe: string): Options => ({ type: 'boolean', group, describe })

const ADDRESS = 'Address:'
const WORLD = 'Markets and users:'
const TIME = 'Time:'
const OUTPUT = 'Output:'

export const SERVE_FLAGS = {
  port: text(ADDRESS, 'port to listen on; 0 takes a free one (default: 8080)'),
  host: text(ADDRESS, 'address to listen on (default: 127.0.0.1); one that others reach needs --admin-token'),
  'admin-token': text(ADDRESS, 'what /emulator then asks for: authorization: Bearer TOKEN'),
  config: text(WORLD, 'JSON file with markets, users, limits and agents'),
  state: text(WORLD, 'file that keeps everything; without it nothing is kept'),
  replay: text(WORLD, 'recorded market in the place of agents, [SYMBOL=]FILE; repeat for several'),
  speed: text(WORLD, 'how fast it is played: 1 (default), 10 or max'),
  'virtual-clock': toggle(TIME, 'time moves only by POST /emulator/clock; ids and keys come from --seed'),
  start: text(TIME, 'where the virtual clock begins, ISO 8601 (default: 2024-01-01)'),
  seed: text(TIME, 'a 32-bit integer: of the agents, and of a virtual clock (default: 1)'),
  json: toggle(OUTPUT, 'print one line of JSON on stdout and nothing else'),
  'log-level': text(OUTPUT, 'what is logged on stderr: trace, debug, info, warn (default), error, fatal, silent'),
} as const satisfies Record<string, Options>
