/** A value as text with its checksum, as stored in the rows of a live account's database. */
import { crc32 } from 'node:zlib'
import type { z } from 'zod'
import { InputError, invariant } from '../../../domain/errors.ts'

export interface CheckedBody {
  readonly body: string
  readonly crc: number
}

/**
 * JSON, with null for undefined. Validated before writing, because an unreadable row would make the whole file
 * unusable.
 */
export function writtenBody<T>(schema: z.ZodType<T>, value: T): [body: string, crc: number] {
  const body = JSON.stringify(value, (_, part: unknown) => (part === undefined ? null : part))
  invariant(schema.safeParse(JSON.parse(body)).success, `a row can be read again: ${body}`)
  return [body, crc32(body)]
}

/**
 * @param file  for the error
 * @param what  name of the row
 * @throws {InputError} for a damaged row
 */
export function readBody<T>(schema: z.ZodType<T>, { body, crc }: CheckedBody, file: string, what: string): T {
  if (crc32(body) !== crc) throw new InputError(file, `is damaged (${what} is not as it was written)`)
  const read = schema.safeParse(JSON.parse(body))
  if (!read.success) throw new InputError(file, `is damaged (${what}: ${read.error.issues[0]?.message ?? ''})`)
  return read.data
}
