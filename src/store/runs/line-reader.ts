/** Reader of the lines of a file: synchronous, in the memory of one chunk and the longest line. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { InputError } from '../../domain/errors.ts'

const CHUNK = 65_536

export class LineReader {
  readonly #descriptor: number
  readonly #chunk = Buffer.alloc(CHUNK)
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  /** Index in the text of the next line. */
  #at = 0
  #isAtEnd = false
  /** Bytes that are still to be read. */
  #left: number

  /**
   * @param bytes  number of bytes to read; default: all
   * @throws {InputError} when the file cannot be opened, or is a directory
   */
  constructor(path: string, bytes = Infinity) {
    this.#left = bytes
    try {
      this.#descriptor = openSync(path, 'r')
    } catch (error) {
      throw new InputError(path, 'cannot be read', { cause: error })
    }
    if (!fstatSync(this.#descriptor).isDirectory()) return
    closeSync(this.#descriptor)
    throw new InputError(path, 'is a directory, not a file')
  }

  /** The next line with its line feed, which only the last one may lack; undefined at the end. */
  next(): string | undefined {
    let end = this.#text.indexOf('\n', this.#at)
    while (end === -1 && !this.#isAtEnd) {
      this.#read()
      end = this.#text.indexOf('\n')
    }
    const line = end === -1 ? this.#text.slice(this.#at) : this.#text.slice(this.#at, end + 1)
    this.#at += line.length
    return line === '' ? undefined : line
  }

  /** The next lines, about a chunk of them; undefined at the end. */
  nextLines(): string | undefined {
    for (;;) {
      const end = this.#isAtEnd ? this.#text.length : this.#text.lastIndexOf('\n') + 1
      const lines = this.#text.slice(this.#at, end)
      this.#at = Math.max(this.#at, end)
      if (lines !== '') return lines
      if (this.#isAtEnd) return undefined
      this.#read()
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #read(): void {
    const length = readSync(this.#descriptor, this.#chunk, 0, Math.min(CHUNK, this.#left), null)
    this.#left -= length
    this.#isAtEnd = length === 0
    const read = this.#isAtEnd ? this.#decoder.end() : this.#decoder.write(this.#chunk.subarray(0, length))
    this.#text = this.#text.slice(this.#at) + read
    this.#at = 0
  }
}

/**
 * The lines of a file, each with its line feed.
 *
 * @param bytes  number of bytes to read; default: all
 * @throws {InputError} when it cannot be read
 */
export const lineTexts = (path: string, bytes?: number): Generator<string, void, undefined> =>
  read(path, (reader) => reader.next(), bytes)

/** The text of a file in pieces of whole lines. @throws {InputError} when it cannot be read */
export const textPieces = (path: string): Generator<string, void, undefined> =>
  read(path, (reader) => reader.nextLines())

function* read(
  path: string,
  next: (reader: LineReader) => string | undefined,
  bytes?: number,
): Generator<string, void, undefined> {
  const reader = new LineReader(path, bytes)
  try {
    for (let text = next(reader); text !== undefined; text = next(reader)) yield text
  } finally {
    reader.close()
  }
}
