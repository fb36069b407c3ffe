/**
 * `points.jsonl` of a sweep: one outcome per line, in order of completion. It is all that a sweep needs to resume.
 *
 * Invariant: a line counts once it has its line end. A partial last line is cut off and its point runs again; so does a
 * point that failed because of the machine, whose new outcome follows further down.
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { pointKey } from '../../sweep/point-key.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { readOutcome } from './outcome-text.ts'
import { writeFault } from '../../domain/write-fault.ts'

export class PointsFile {
  /** Outcomes that were there, by the key of their point; none that is of the machine. */
  readonly known: ReadonlyMap<string, PointOutcome>
  readonly #path: string
  readonly #descriptor: number
  #size: number

  /**
   * @param identity  of the sweep: every point in the file has to be of it
   * @throws {InputError} at a line that is no point of this sweep, or when the file cannot be written
   */
  constructor(path: string, identity: string) {
    this.#path = path
    this.#descriptor = opened(path)
    try {
      const bytes = readFileSync(this.#descriptor)
      this.#size = bytes.lastIndexOf(LINE_FEED) + 1
      const there = outcomesIn(path, bytes.subarray(0, this.#size).toString(), identity)
      this.known = new Map([...there].filter(([, { isOfMachine }]) => isOfMachine !== true))
      if (fstatSync(this.#descriptor).size > this.#size) ftruncateSync(this.#descriptor, this.#size)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** @throws {InputError} when the disk does not take it */
  append(outcome: PointOutcome): void {
    const bytes = Buffer.from(`${JSON.stringify(outcome)}\n`)
    try {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#descriptor, bytes, written, bytes.length - written, this.#size + written)
      }
    } catch (error) {
      throw writeFault(this.#path, 'cannot be written', error)
    }
    this.#size += bytes.length
  }

  /** Makes the appended lines durable. */
  close(): void {
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
  }
}

/**
 * Outcomes of a sweep, by the key of their point, without touching the file.
 *
 * @throws {InputError} when it cannot be read, or at a line that is no point of this sweep
 */
export function readPoints(path: string, identity: string): ReadonlyMap<string, PointOutcome> {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new InputError(path, `cannot be read (${thrownText(error)})`, { cause: error })
  }
  return outcomesIn(path, bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1).toString(), identity)
}

/** Not for appending: there a write has no place of its own. */
function opened(path: string): number {
  try {
    closeSync(openSync(path, 'a'))
    return openSync(path, 'r+')
  } catch (error) {
    throw writeFault(path, 'cannot be written', error)
  }
}

function outcomesIn(path: string, lines: string, identity: string): ReadonlyMap<string, PointOutcome> {
  const known = new Map<string, PointOutcome>()
  for (const [index, line] of lines.split('\n').slice(0, -1).entries()) {
    const outcome = readOutcome(`${path}:${index + 1}`, line)
    if (pointKey(identity, outcome) !== outcome.key) {
      throw new InputError(`${path}:${index + 1}`, 'is not a point of this sweep: its key differs')
    }
    const before = known.get(outcome.key)
    if (before === undefined || before.isOfMachine === true) known.set(outcome.key, outcome)
  }
  return known
}
