/**
 * A tape as a `.tape` file for another machine: its rows in the precisions of its market, whatever form it has here.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { InputError, throwIfAborted } from '../../../domain/errors.ts'
import { TapeFileWriter } from '../../../store/tapes/blocks/tape-file.ts'
import type { Tape } from '../../../tape/tape.ts'

/**
 * @returns lower-case hex SHA-256 of the file's bytes
 * @throws {InputError} when the tape is not what it was
 * @throws {AbortError} when `signal` says so
 */
export async function packTape(tape: Tape, file: string, signal?: AbortSignal): Promise<string> {
  const { symbol, kind, intervalMs = null, hasConditions, pricePrecision, qtyPrecision } = tape.info
  if (tape.info.closesAtNext === true) {
    const message =
      'candles that close when the next one opens cannot be sent to other machines; sweep them on this one'
    throw new InputError(tape.info.file, message)
  }
  const writer = new TapeFileWriter(file)
  try {
    for await (const block of tape.blocks()) {
      throwIfAborted(signal)
      writer.add({ block, pricePrecision, qtyPrecision })
    }
    writer.finish({ symbol, kind, intervalMs, hasConditions }, tape.gaps)
  } catch (error) {
    writer.abandon()
    throw error
  }
  return await fileSha256(file)
}

/** Lower-case hex. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex')
}
