/**
 * What `papertape why` does: the journal of a run in, the story of one order out. Nothing else of the run is read.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { readJournalLine, type JournalLine } from '../runtime/journal/journal-line.ts'
import { orderStory, storyText } from '../report/order-story/order-story.ts'
import { LineReader } from '../store/runs/line-reader.ts'
import { EXIT } from './exit-code.ts'

/** @returns the exit code */
export function tellWhy(directory: string, order: string): number {
  const path = join(directory, 'journal.jsonl')
  if (!existsSync(path)) throw new InputError(path, 'no such file; expected a directory written by backtest --out')
  process.stdout.write(`${storyText(orderStory({ [Symbol.iterator]: () => journalLines(path) }, order))}\n`)
  return EXIT.done
}

/** Lines that tell something of an order, read anew each time. */
function* journalLines(path: string): Generator<JournalLine, void, undefined> {
  const reader = new LineReader(path)
  try {
    let number = 1
    for (let text = reader.next(); text !== undefined; text = reader.next()) {
      const line = readJournalLine(`${path}:${number}`, text)
      if (line !== undefined) yield line
      number += 1
    }
  } finally {
    reader.close()
  }
}
