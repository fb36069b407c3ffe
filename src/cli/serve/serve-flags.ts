/**
 * The flags of `papertape serve`, made of the settings of an emulator.
 */
import type { Options } from 'yargs'
import {
  EACH_EMULATOR_SETTING,
  type EmulatorSettingGroup,
  type EmulatorSettingName,
} from '../../server/emulator/emulator-settings.ts'
import { flagName } from '../flag-words.ts'
import { LOG_LEVELS } from './log-levels.ts'

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

/** The port when none is given, where a program gets a free one. */
export const DEFAULT_PORT = 8080

/** What is said of a flag beside the words of its setting. */
const MORE: Partial<Record<EmulatorSettingName, string>> = { port: ` (default: ${DEFAULT_PORT})` }

export const SERVE_FLAGS: Readonly<Record<string, Options>> = {
  config: text('world', 'JSON file with markets, users, limits and agents'),
  replay: text('world', 'recorded market in the place of agents, [SYMBOL=]FILE; repeat for several'),
  depth: text('world', 'recorded book or quotes of a replayed market, SYMBOL=FILE; repeat for several'),
  ...Object.fromEntries(
    EACH_EMULATOR_SETTING.map(([name, { group, words, form }]) => [
      flagName(name),
      form.ofText === undefined ? toggle(group, words) : text(group, `${words}${MORE[name] ?? ''}`),
    ]),
  ),
  json: toggle('output', 'print one line of JSON on stdout and nothing else'),
  'log-level': text('output', `what is logged on stderr: ${LOG_LEVELS.join(', ')} (default: warn)`),
}
