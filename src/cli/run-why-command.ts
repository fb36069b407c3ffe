/**
 * `papertape why`, once its arguments are read: the journal of a run in, the story of one order out. Nothing else of the run is
 * read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { journalLines } from '../runtime/journal/read-journal.ts'
import { orderStory, storyText } from '../report/order-story/order-story.ts'
import { EXIT } from './exit-code.ts'

/** @returns the exit code */
export function tellWhy(directory: string, order: string): number {
  const path = join(directory, 'journal.jsonl')
  if (!existsSync(path)) throw new InputError(path, 'no such file; expected a directory written by backtest --out')
  process.stdout.write(`${storyText(orderStory(journalLines(path), order))}\n`)
  return EXIT.done
}
