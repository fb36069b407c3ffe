/**
 * The answer of `papertape --get-completions` to the scripts of the shells.
 */
import { candidates } from './candidates.ts'

/**
 * The first line is `files` where a file may stand, else `words`; each line behind it is a word, a tab, and what the word means.
 *
 * @param words  those behind `papertape`, the last of which is begun, or empty
 */
export async function answerText(words: readonly string[]): Promise<string> {
  const found = await candidates(words)
  const lines = found.words.map(({ word, says }) => `${word}\t${says}`)
  return `${[found.withFiles ? 'files' : 'words', ...lines].join('\n')}\n`
}
