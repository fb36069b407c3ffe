/**
 * Settings in the words of the command that was given.
 */
import type { SettingWords } from '../domain/setting-name.ts'
import { flagWords } from './flag-words.ts'

/** Loads no more than the command itself does. */
export async function wordsOfCommand(command: string | undefined): Promise<SettingWords> {
  if (command === 'live') return (await import('./live/live-words.ts')).LIVE_WORDS
  if (command === 'import') return (await import('./import/import-flags.ts')).IMPORT_WORDS
  if (command === 'sweep') return (await import('./sweep/sweep-words.ts')).SWEEP_WORDS
  if (command === 'serve' || command === 'record' || command === 'worker') return flagWords(new Map())
  // A run that is run again was described by the flags of a backtest.
  return (await import('./backtest/backtest-words.ts')).BACKTEST_WORDS
}
