/** JSON values with numbers as text, so that money never passes through a float. */
import type { JsonWindow } from './json-window.ts'

/** An element of a JSON recording, read in batches of what is buffered. */
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

/** A JSON number, not converted. */
export class JsonNumber {
  /** Text as written: `0.10`, `1e-7`, `1723161256000000000`. */
  readonly text: string

  /** @param text  valid by the grammar of JSON */
  constructor(text: string) {
    this.text = text
  }
}

/** Members in file order; keys are unique. */
export type JsonObject = ReadonlyMap<string, JsonValue>
export type JsonArray = readonly JsonValue[]
export type JsonValue = string | boolean | null | JsonNumber | JsonArray | JsonObject

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => value instanceof Map
export const isJsonArray = (value: JsonValue | undefined): value is JsonArray => Array.isArray(value)

/** Member of an object; undefined if there is none, or if the value is not an object. */
export const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? value.get(key) : undefined

/** Text of a string or a number, because exchanges write prices as either. Undefined for other values. */
export const textOf = (value: JsonValue | undefined): string | undefined => {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : undefined
}

/** Kind of a value in a message: `expected a string, got an array`. */
export function jsonKind(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value instanceof JsonNumber) return 'a number'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'boolean') return 'true or false'
  return isJsonArray(value) ? 'an array' : 'an object'
}

/** A value as JSON on one line, with numbers as written. */
export function jsonText(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text
  if (isJsonArray(value)) return `[${value.map((each) => jsonText(each)).join(',')}]`
  if (isJsonObject(value)) {
    return `{${[...value].map(([key, each]) => `${JSON.stringify(key)}:${jsonText(each)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
