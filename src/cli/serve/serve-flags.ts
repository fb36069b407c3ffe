/** The flags of `papertape serve`, from the settings of an emulator. */
import type { Options } from 'yargs'
import {
  EACH_EMULATOR_SETTING,
  type EmulatorSettingGroup,
  type EmulatorSettingName,
} from '../../server/emulator/emulator-settings.ts'
import { flagName } from '../flag-words.ts'

/** Levels of the log of a server, the most talkative first. Apart from the log, so that `--help` loads no logger. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

const GROUPS: Readonly<Record<EmulatorSettingGroup | 'output', string>> = {
  address: 'Address:',
  world: 'Markets and users:',
  time: 'Time:',
  output: 'Output:',
}

const text = (group: keyof typeof GROUPS, describe: string): Options => ({
  type: 'string',
  requiresArg: true,
  group: GROUPS[group],
  describe,
})

const toggle = (group: keyof typeof GROUPS, describe: string): Options => ({
  type: 'boolean',
  group: GROUPS[group],
  describe,
})

/** Default port of the command; the library uses a free port. */
export const DEFAULT_PORT = 8080

/** Additions to the descriptions of settings. */
const MORE: Partial<Record<EmulatorSettingName, string>> = { port: ` (default: ${DEFAULT_PORT})` }

export const SERVE_FLAGS: Readonly<Record<string, Options>> = {
  config: text('world', 'JSON file with markets, users, limits and simulated traders (agents)'),
  replay: text('world', 'replay recorded data instead of simulated traders, [SYMBOL=]FILE; repeatable'),
  depth: text('world', 'recorded order book or quotes of a replayed market, SYMBOL=FILE; repeatable'),
  ...Object.fromEntries(
    EACH_EMULATOR_SETTING.map(([name, { group, words, form }]) => [
      flagName(name),
      form.ofText === undefined ? toggle(group, words) : text(group, `${words}${MORE[name] ?? ''}`),
    ]),
  ),
  'admin-token-file': text('address', 'file with the admin token, or its hash (default: PAPERTAPE_ADMIN_TOKEN)'),
  json: toggle('output', 'print only one line of JSON on stdout'),
  'log-level': text('output', `log level on stderr: ${LOG_LEVELS.join(', ')} (default: warn)`),
}
