/**
 * The files of a live run in its directory: every line is written when `append` returns, so that the directory can be
 * read meanwhile, and a crash loses nothing.
 *
 * Invariant: existing files are never written to, and links are never followed; of two sessions with the same directory
 * the second fails. After a failed write a file gets no more lines, and ends with a complete one. Known limit: files
 * are not synced, so a power failure may lose the last lines.
 */
import { createHash, type Hash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { DiskError } from '../../domain/errors.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import { makeDirectory } from '../make-directory.ts'
import { REPORT_FILE, RUN_FILES, type RunFileName } from './run-file-names.ts'
import { sealedText } from './run-seal.ts'
import { writeFault } from '../../domain/write-fault.ts'

interface AppendedFile {
  readonly descriptor: number
  readonly hash: Hash
  /** Bytes that are written whole. */
  size: number
  isBroken: boolean
}

export class LiveRunDirectory {
  readonly path: string
  readonly #filesByName = new Map<RunFileName, AppendedFile>()

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when the directory cannot be made, is a link, or holds a run already
   */
  constructor(where: Place, path: string) {
    this.path = path
    const target = resolve(path)
    refuseUsedDirectory(where, path)
    try {
      makeDirectory(target)
      accessSync(target, constants.W_OK)
    } catch (error) {
      if (error instanceof InputError) throw error
      throw writeFault(where, `cannot write to '${path}'`, error)
    }
  }

  /** @throws {InputError} if it cannot be written: then the event must not take effect */
  append(name: RunFileName, text: string): void {
    try {
      let file = this.#filesByName.get(name)
      if (file === undefined) {
        file = {
          descriptor: openSync(join(this.path, name), 'ax'),
          hash: createHash('sha256'),
          size: 0,
          isBroken: false,
        }
        this.#filesByName.set(name, file)
      }
      if (!file.isBroken) appendWhole(file, text)
    } catch (error) {
      throw this.#fault(name, error)
    }
  }

  /**
   * Completes the files: writes the sealed report atomically.
   *
   * @throws {InputError} if it cannot be written
   */
  finish(report: object): void {
    const hashes = [...this.#filesByName].map(([name, { hash }]) => [name, hash.digest('hex')] as const)
    const partial = join(this.path, `.${REPORT_FILE}.partial`)
    try {
      // An existing link is removed, not followed.
      rmSync(partial, { force: true })
      writeFileSync(partial, sealedText(report, Object.fromEntries(hashes)), { flag: 'wx' })
      if (isThere(join(this.path, REPORT_FILE))) throw new Error('somebody else has made it')
      renameSync(partial, join(this.path, REPORT_FILE))
    } catch (error) {
      throw this.#fault(REPORT_FILE, error)
    }
    for (const { descriptor } of this.#filesByName.values()) closeSync(descriptor)
    this.#filesByName.clear()
  }

  #fault(name: string, error: unknown): DiskError {
    return writeFault(join(this.path, name), 'cannot be written', error)
  }
}

/**
 * Checks early that a directory can take a run. Creates nothing.
 *
 * @throws {InputError} if the path is a link, cannot be a directory, or already contains a run
 */
export function refuseUsedDirectory(where: Place, path: string): void {
  const target = resolve(path)
  try {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new InputError(where, `'${path}' is a link: give the directory itself`)
    }
    const name = RUN_FILES.find((each) => isThere(join(target, each)))
    if (name === 'journal.jsonl') throw new InputError(where, `'${path}' holds a run already: use another directory`)
    if (name !== undefined) throw new InputError(where, `'${path}' holds '${name}' already: use another directory`)
  } catch (error) {
    throw error instanceof InputError ? error : writeFault(where, `cannot write to '${path}'`, error)
  }
}

function appendWhole(file: AppendedFile, text: string): void {
  try {
    // Unlike writeSync, it writes all bytes or throws.
    writeFileSync(file.descriptor, text)
  } catch (error) {
    file.isBroken = true
    ftruncateSync(file.descriptor, file.size)
    throw error
  }
  file.size += Buffer.byteLength(text)
  file.hash.update(text)
}

/** A link that leads nowhere as well. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
