/**
 * An element of a recording in JSON, and elements as they are read: as many at a time as are at hand.
 */
import type { JsonValue } from './json-value.ts'
import type { JsonWindow } from './json-window.ts'

export interface JsonElement {
  readonly value: JsonValue
  /** Of its first byte, from 1. */
  readonly line: number
  /** Of its first byte, from 1, in bytes. */
  readonly column: number
  /**
   * Keys from the document to its list: `['result', 'list']`; none in JSON lines and in a document that is an array.
   */
  readonly path: readonly string[]
  /** The decimal digits before it on its line; only JSON lines have any. */
  readonly prefix: string | undefined
}

/**
 * Gives what `next` reads until it has no more, which it says with undefined.
 *
 * What was read before an error is given before it is thrown.
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
