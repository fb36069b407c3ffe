/**
 * The file of gaps next to a recording, written while that grows.
 *
 * Invariants: a gap is durable when `add` returns; the file is complete except for a last line cut off by a crash,
 * which the next start ignores.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { GAP_HEADER, gapFileOf, gapLine, parseGaps } from '../tapes/gap-file.ts'
import { gapsApart } from '../tapes/gaps-apart.ts'

export class RecordedGaps {
  readonly #file: string
  #gaps: MarkedGap[]
  /** A line of it may be cut. */
  #isTorn = false

  /**
   * Makes the file if it is not there, and leaves out of it what a process that was killed had marked and not recorded.
   *
   * @param tape     file of the recording
   * @param endsAt   time of its last row; undefined without rows
   * @throws {InputError} at a line that is wrong
   */
  constructor(tape: string, endsAt: number | undefined) {
    this.#file = gapFileOf(tape)
    const found = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : undefined
    const whole = found === undefined ? '' : found.slice(0, found.lastIndexOf('\n') + 1)
    const known = whole === '' ? [] : parseGaps(this.#file, whole)
    this.#gaps = known.filter(({ to }) => endsAt !== undefined && to <= endsAt)
    if (found !== this.#text()) this.#rewrite()
  }

  get count(): number {
    return this.#gaps.length
  }

  /** @throws {Error} when it cannot be written; it is written with the next one then */
  add(gap: MarkedGap): void {
    const last = this.#gaps.at(-1)
    const isBehind = last === undefined || (gap.from >= last.to && gap.to > last.to)
    this.#gaps.push(gap)
    if (!isBehind) this.#gaps = gapsApart(this.#gaps)
    if (isBehind && !this.#isTorn) this.#append(gapLine(gap))
    else this.#rewrite()
  }

  #append(line: string): void {
    this.#isTorn = true
    this.#write(this.#file, 'a', line)
    this.#isTorn = false
  }

  #text(): string {
    return `${GAP_HEADER}\n${this.#gaps.map(gapLine).join('')}`
  }

  #rewrite(): void {
    const temporary = `${this.#file}.tmp`
    this.#write(temporary, 'w', this.#text())
    renameSync(temporary, this.#file)
    this.#isTorn = false
  }

  #write(file: string, flags: 'a' | 'w', text: string): void {
    const descriptor = openSync(file, flags)
    try {
      writeFileSync(descriptor, text)
      fdatasyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}
