/**
 * The files of a run in a directory: written beside their place while it goes on, and put there together at its end, so that a
 * run that fails half-way leaves the files of an earlier one as they were.
 */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { makeDirectory } from '../make-directory.ts'

const FLUSH_AT = 65_536

/** One file, written in pieces. A piece that cannot be written is told at the end, since appending is in the middle of a run. */
class PendingFile {
  readonly #path: string
  readonly #descriptor: number
  #buffered: string[] = []
  #size = 0
  #isOpen = true
  #failure: InputError | undefined

  constructor(path: string) {
    this.#path = path
    this.#descriptor = openSync(`${path}.partial`, 'w')
  }

  append(text: string): void {
    this.#buffered.push(text)
    this.#size += text.length
    if (this.#size >= FLUSH_AT) this.#flush()
  }

  /** @throws {InputError} when a piece could not be written */
  close(): void {
    this.#flush()
    this.#closeDescriptor()
    if (this.#failure !== undefined) throw this.#failure
  }

  keep(): void {
    renameSync(`${this.#path}.partial`, this.#path)
  }

  /** What is not yet written never is: the disk may be full. */
  remove(): void {
    this.#closeDescriptor()
    rmSync(`${this.#path}.partial`, { force: true })
  }

  #closeDescriptor(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }

  #flush(): void {
    try {
      // Unlike writeSync, it goes on until every byte is written or the disk says why not.
      if (this.#failure === undefined) writeFileSync(this.#descriptor, this.#buffered.join(''))
    } catch (error) {
      const why = error instanceof Error ? error.message : 'for an unknown reason'
      this.#failure = new InputError(this.#path, `cannot be written (${why})`, { cause: error })
    }
    this.#buffered = []
    this.#size = 0
  }
}

export class RunDirectory {
  readonly #path: string
  readonly #filesByName = new Map<string, PendingFile>()
  /** Directories that were made for it, the innermost last. */
  readonly #made: readonly string[]

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when the directory cannot be made or written
   */
  constructor(where: Place, path: string) {
    this.#path = path
    if (existsSync(path) && !statSync(path).isDirectory()) throw new InputError(where, `'${path}' is not a directory`)
    try {
      this.#made = makeDirectory(resolve(path))
      const probe = join(path, '.partial')
      closeSync(openSync(probe, 'w'))
      rmSync(probe)
    } catch (error) {
      throw new InputError(where, `cannot write to '${path}'`, { cause: error })
    }
  }

  append(name: string, text: string): void {
    let file = this.#filesByName.get(name)
    if (file === undefined) {
      file = new PendingFile(join(this.#path, name))
      this.#filesByName.set(name, file)
    }
    file.append(text)
  }

  /**
   * Puts every file in its place.
   *
   * @throws {InputError} when one could not be written whole; then none is put there
   */
  commit(): void {
    for (const file of this.#filesByName.values()) file.close()
    for (const file of this.#filesByName.values()) file.keep()
    this.#filesByName.clear()
  }

  /** Leaves nothing behind. */
  discard(): void {
    for (const file of this.#filesByName.values()) file.remove()
    this.#filesByName.clear()
    for (const directory of this.#made.toReversed()) removeIfEmpty(directory)
  }
}

/** Somebody else may have put something there in the meantime. */
function removeIfEmpty(path: string): void {
  if (readdirSync(path).length === 0) rmdirSync(path)
}
