/**
 * The settings of a run in the words of `papertape backtest`.
 */
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { flagWords } from '../flag-words.ts'

export const BACKTEST_WORDS = flagWords(
  new Map([['tapes', 'tape'], ['books', 'depth'], ...EACH_TERM.map(([, { option, key }]) => [option, key] as const)]),
)
