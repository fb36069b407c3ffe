/**
 * JSON texts for tests, handed out in chunks that are overwritten, and what JSON.parse makes of them.
 */
import {
  isJsonArray,
  isJsonObject,
  type JsonElement,
  JsonNumber,
  type JsonValue,
} from '../../../src/import/json/json-value.ts'
import { jsonElements } from '../../../src/import/json/json-elements.ts'
import { InputError } from '../../../src/domain/errors.ts'

/** Cuts bytes into chunks of the sizes, in turn; each chunk is overwritten when the next one is asked for. */
async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    const chunk = Buffer.from(bytes.subarray(at, at + size))
    at += size
    yield await Promise.resolve(chunk)
    chunk.fill('#')
  }
}

/** All elements of a text, or the message of its error. */
export async function elementsOf(
  text: string | Uint8Array,
  sizes: readonly number[] = [262_144],
): Promise<{ readonly elements: readonly JsonElement[]; readonly error?: string }> {
  const elements: JsonElement[] = []
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  try {
    for await (const element of jsonElements('t.json', inChunks(bytes, sizes))) elements.push(element)
    return { elements }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { elements, error: error.message }
  }
}

/** A value in plain JavaScript, numbers converted. */
export function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (isJsonArray(value)) return value.map(plain)
  if (!isJsonObject(value)) return value
  // As JSON.parse has it, a key '__proto__' included.
  return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]))
}

/** A value as JSON again, each number as it was written. */
export function written(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text
  if (isJsonArray(value)) return `[${value.map(written).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`).join(',')}}`
}
