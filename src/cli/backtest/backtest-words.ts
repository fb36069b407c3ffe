/**
 * The settings of a run in the words of `papertape backtest`.
 */
import type { SettingWords } from '../../domain/setting-name.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { flagWords } from '../flag-words.ts'

export const BACKTEST_WORDS = flagWords(
  new Map([['tapes', 'tape'], ['books', 'depth'], ...EACH_TERM.map(([, { option, key }]) => [option, key] as const)]),
)

/** The settings of a sweep in the words of `papertape sweep`. */
export const SWEEP_WORDS: SettingWords = (name) => {
  const { path } = name
  if (path === 'grid') return '--param'
  const fixed = /^fixed\.(.+)$/.exec(path)?.[1]
  return fixed === undefined ? BACKTEST_WORDS(name) : `params.${fixed} of the config`
}
