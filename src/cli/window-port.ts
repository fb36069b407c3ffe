/** The setting `window` of a session: the port of the page that shows it. */
import { setting } from '../domain/setting-name.ts'
import { integer } from '../runtime/settings/form.ts'
import type { FlagValues } from './cli-command.ts'
import { single, type FlagText } from './option-values.ts'
import type { SettingRow } from './config/setting-rows.ts'

const MAX_PORT = 65_535
const port = integer(0, MAX_PORT)

export const WINDOW_ROW: SettingRow = {
  words: 'port of a status page, reachable only from this machine; 0 picks a free port',
  form: port,
  group: 'Output:',
}

/** @returns undefined without the flag @throws {InputError} for an invalid port */
export function windowPortOf(values: FlagValues): number | undefined {
  const given = single('--window', values.window as FlagText)
  return given === undefined ? undefined : port.ofText(setting('window'), given)
}
