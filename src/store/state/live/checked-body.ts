/**
 * A value as text beside its checksum, in the form in which the rows of a live account's database have it.
 */
import { crc32 } from 'node:zlib'
import type { z } from 'zod'
import { InputError, invariant } from '../../../domain/errors.ts'

export interface CheckedBody {
  readonly body: string
  readonly crc: number
}

/** JSON, with null for undefined. What is written can be read again: a row that cannot would bar the whole file. */
export function writtenBody<T>(schema: z.ZodType<T>, value: T): [body: string, crc: number] {
  const body = JSON.stringify(value, (_, part: unknown) => (part === undefined ? null : part))
  invariant(schema.safeParse(JSON.parse(body)).success, `a row can be read again: ${body}`)
  return [body, crc32(body)]
}

/**
 * @param file  for the error
 * @param what  names the row there
 * @throws {InputError} for one that is not as it was written
 */
export function readBody<T>(schema: z.ZodType<T>, { body, crc }: CheckedBody, file: string, what: string): T {
  if (crc32(body) !== crc) throw new InputError(file, `is damaged (${what} is not as it was written)`)
  const read = schema.safeParse(JSON.parse(body))
  if (!read.success) throw new InputError(file, `is damaged (${what}: ${read.error.issues[0]?.message ?? ''})`)
  return read.data
}
