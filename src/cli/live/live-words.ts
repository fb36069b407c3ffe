/**
 * The settings of a live session in the words of `papertape live`.
 */
import { EACH_LIVE_TERM } from '../../runtime/settings/live-settings.ts'
import { flagWords } from '../flag-words.ts'

export const LIVE_WORDS = flagWords(new Map(EACH_LIVE_TERM.map(([, { option, key }]) => [option, key] as const)))
