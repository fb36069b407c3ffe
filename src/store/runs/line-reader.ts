/** Reader of the lines of a file: synchronous, in the memory of one chunk and the longest line. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { InputError } from '../../domain/errors.ts'

const CHUNK = 65_536

export class LineReader {
  readonly #descriptor: number
  readonly #chunk = Buffer.alloc(CHUNK)
  readonly #decoder = new StringDecoder('utf8')
  /** Read and not given yet: whole lines, last first, and the beginning of the next one. */
  #lines: string[] = []
  #rest = ''
  #isAtEnd = false

  /** @throws {InputError} when the file cannot be opened, or is a directory */
  constructor(path: string) {
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
    while (this.#lines.length === 0 && !this.#isAtEnd) this.#read()
    return this.#lines.pop()
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #read(): void {
    const length = readSync(this.#descriptor, this.#chunk)
    this.#isAtEnd = length === 0
    const text =
      this.#rest + (this.#isAtEnd ? this.#decoder.end() : this.#decoder.write(this.#chunk.subarray(0, length)))
    const lines = text.split('\n')
    this.#rest = lines.pop() ?? ''
    const whole = lines.map((line) => `${line}\n`)
    this.#lines = (this.#isAtEnd && this.#rest !== '' ? [...whole, this.#rest] : whole).reverse()
  }
}
