/**
 * JSON as it was written: whatever a lenient reader would swallow is an error here (decision 28).
 *
 * A key that is there twice would let two readers see two bodies; bytes that are not UTF-8 would become others.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { duplicateKey } from '../../domain/json-keys.ts'
import { fieldError, ServiceError } from './service-error.ts'

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

export type JsonReading =
  | { readonly isJson: false }
  | {
      readonly isJson: true
      readonly value: unknown
      /** A key that an object has twice: the value is not to be trusted then. */
      readonly twice: string | undefined
    }

/** Reads bytes that may be anything. */
export function readStrictJson(body: Uint8Array): JsonReading {
  const text = textOf(body)
  if (text === undefined) return { isJson: false }
  try {
    const value: unknown = JSON.parse(text)
    return { isJson: true, value, twice: isPlain(value, text) ? undefined : duplicateKey(text)?.key }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return { isJson: false }
  }
}

/** Undefined for bytes that are not UTF-8. */
function textOf(body: Uint8Array): string | undefined {
  if (Buffer.isBuffer(body) && isAscii(body)) return body.toString('latin1')
  return isUtf8(body) ? UTF8.decode(body) : undefined
}

/**
 * True if an object has only text fields and no duplicate keys, by counting quotes: four per field. A duplicate key
 * would leave more of them.
 */
function isPlain(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || text.includes('\\')) return false
  let quotes = 0
  for (const each of Object.values(value)) {
    if (typeof each !== 'string') return false
    quotes += 4
  }
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) quotes -= 1
  return quotes === 0
}

/** @throws {ServiceError} MALFORMED_JSON, or VALIDATION_ERROR naming a key that is there twice */
export function parseStrictJson(body: Uint8Array): unknown {
  const read = readStrictJson(body)
  if (!read.isJson) throw new ServiceError('MALFORMED_JSON', 'the body is not valid JSON')
  if (read.twice !== undefined) throw fieldError(read.twice, 'is given twice')
  return read.value
}
