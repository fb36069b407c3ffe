/** An element of a JSON recording, read in batches of what is buffered. */
import type { JsonValue } from './json-value.ts'
import type { JsonWindow } from './json-window.ts'

export interface JsonElement {
  readonly value: JsonValue
  /** Line of its first byte, from 1. */
  readonly line: number
  /** Column of its first byte, from 1, in bytes. */
  readonly column: number
  /** Keys from the document to its list: `['result', 'list']`; empty for JSON lines and a top-level array. */
  readonly path: readonly string[]
  /** Decimal digits before it on its line; only in JSON lines. */
  readonly prefix: string | undefined
}

/**
 * Batches of the values that `next` returns, until it returns undefined.
 *
 * Values read before an error are returned before it is thrown.
 */
export async function* batchesOf<T>(
  window: JsonWindow,
  next: () => T | undefined,
): AsyncGenerator<readonly T[], void, undefined> {
  for (;;) {
    const batch: T[] = []
    let stop: unknown
    try {
      for (let read = next(); read !== undefined; read = next()) {
        window.mark()
        batch.push(read)
      }
    } catch (error) {
      stop = error
    }
    if (batch.length > 0) yield batch
    if (stop === undefined) return
    await window.recover(stop)
  }
}
