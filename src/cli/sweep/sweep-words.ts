/**
 * The settings of a sweep in the words of `papertape sweep`.
 */
import type { SettingWords } from '../../domain/setting-name.ts'
import { BACKTEST_WORDS } from '../backtest/backtest-words.ts'

export const SWEEP_WORDS: SettingWords = (name) => {
  const { path } = name
  if (path === 'grid') return '--param'
  const fixed = /^fixed\.(.+)$/.exec(path)?.[1]
  return fixed === undefined ? BACKTEST_WORDS(name) : `params.${fixed} of the config`
}
