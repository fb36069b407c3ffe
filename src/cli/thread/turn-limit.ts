/**
 * The turn limit: the longest time, by the clock of the machine, that a strategy may block the event loop. It does not
 * affect results.
 */
import { setting } from '../../domain/setting-name.ts'
import { integer, orOff } from '../../runtime/settings/form.ts'
import { single, type FlagText } from '../option-values.ts'
import type { FlagValues } from '../cli-command.ts'
import { DEFAULT_TURN_LIMIT, type TurnLimit } from '../../runtime/turn-watch.ts'

const MAX_SECONDS = 86_400

export const turnLimitForm = orOff(integer(1, MAX_SECONDS))

export const TURN_LIMIT_WORDS = `seconds that loading a strategy, or one of its turns, may take, or off (default: ${DEFAULT_TURN_LIMIT})`

/** @throws {InputError} when it is none. @returns undefined when it was not given */
export function turnLimitOf(values: FlagValues): TurnLimit | undefined {
  const given = single('--turn-limit', values['turn-limit'] as FlagText)
  return given === undefined ? undefined : turnLimitForm.ofText(setting('turnLimit'), given)
}
