/**
 * The elements of a recording in JSON, one after the other, of a file of any size.
 *
 * Three forms: JSON lines (one value a line, decimal digits and a blank may stand before it), a document that is an
 * array, and a document that is an object and has one list of arrays or objects among its members, or theirs. The first
 * value says which: what comes on another line behind it makes it JSON lines.
 */
import { InputError } from '../../domain/errors.ts'
import { DocumentWalk } from './document-walk.ts'
import { batchesOf, type JsonElement } from './json-element.ts'
import { JsonLines } from './json-lines.ts'
import { JsonWindow, ValueTooLarge } from './json-window.ts'
import { OPEN_ARRAY, OPEN_OBJECT, ValueReader } from './value-reader.ts'

/**
 * Reads a recording in JSON; memory does not grow with it.
 *
 * @param file    named by errors
 * @param chunks  UTF-8; each is good until the next one is asked for
 * @throws {InputError} `file:line:column: expected ..., got ...` where the text is none of the three forms; for an
 * element of more than
 *                      1 MiB, and nesting of more than 32; elements before that place may have been given
 */
export async function* jsonElements(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<JsonElement, void, undefined> {
  for await (const batch of jsonElementBatches(file, chunks)) yield* batch
}

/** The elements of `jsonElements`, as many at a time as are at hand: faster. */
export async function* jsonElementBatches(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly JsonElement[], void, undefined> {
  const window = new JsonWindow(file, chunks)
  const reader = new ValueReader(window)
  try {
    await window.begin()
    const first = await firstValue(window, reader)
    if (first === 'of-lines') {
      const lines = new JsonLines(window, reader)
      yield* batchesOf(window, () => lines.next())
    } else {
      yield* new DocumentWalk(window, reader, first).elements()
    }
  } finally {
    await window.close()
  }
}

/**
 * The document, if the text is a single one; undefined if that is too large to be read as a whole. The window must be
 * at the beginning.
 */
async function firstValue(window: JsonWindow, reader: ValueReader): Promise<'of-lines' | JsonElement | undefined> {
  try {
    for (;;) {
      try {
        return look(window, reader)
      } catch (error) {
        await window.recover(error)
      }
    }
  } catch (error) {
    if (error instanceof ValueTooLarge) return undefined
    throw error
  } finally {
    window.rewind()
  }
}

function look(window: JsonWindow, reader: ValueReader): 'of-lines' | JsonElement {
  const byte = reader.next()
  if (window.isOver()) throw new InputError(window.file, 'expected JSON, got nothing')
  if (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT) return 'of-lines'
  const { line } = window
  const column = window.at - window.lineStart + 1
  const value = reader.element(0)
  const lastLine = window.line
  reader.next()
  if (!window.isOver() && lastLine === line && window.line > line) return 'of-lines'
  return { value, line, column, path: [], prefix: undefined }
}
