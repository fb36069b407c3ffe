/**
 * The flag `--window` of a session: the port of the page that shows it.
 */
import { setting } from '../domain/setting-name.ts'
import { integer } from '../runtime/settings/form.ts'
import { single, type FlagText } from './option-values.ts'

const MOST_PORT = 65_535
const port = integer(0, MOST_PORT)

/** @returns undefined when no page is asked for @throws {InputError} for what is no port */
export function windowPortOf(values: Readonly<Record<string, unknown>>): number | undefined {
  const given = single('--window', values.window as FlagText)
  return given === undefined ? undefined : port.ofText(setting('window'), given)
}
