/**
 * The files of a run that goes on in real time, in a directory of its own: every line is in its file when `append` returns, so that the
 * directory can be read meanwhile, and whatever ends the process leaves what was written.
 *
 * Known limit: what the system has taken is not forced on the disk, so a failure of the machine itself may lose the last lines.
 */
import { closeSync, existsSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { makeDirectory } from '../make-directory.ts'

/** The file by which a directory is known to hold a run. */
const JOURNAL = 'journal.jsonl'

export class KeptRunDirectory {
  readonly path: string
  readonly #descriptorsByName = new Map<string, number>()

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when the directory cannot be made, or holds a run already
   */
  constructor(where: Place, path: string) {
    this.path = path
    if (existsSync(join(path, JOURNAL))) throw new InputError(where, `'${path}' holds a run already`)
    try {
      makeDirectory(resolve(path))
    } catch (error) {
      throw new InputError(where, `cannot write to '${path}'`, { cause: error })
    }
  }

  /** @throws {InputError} when it cannot be written: then what it tells of must not happen */
  append(name: string, text: string): void {
    try {
      let descriptor = this.#descriptorsByName.get(name)
      if (descriptor === undefined) {
        descriptor = openSync(join(this.path, name), 'a')
        this.#descriptorsByName.set(name, descriptor)
      }
      // Unlike writeSync, it goes on until every byte is written or the disk says why not.
      writeFileSync(descriptor, text)
    } catch (error) {
      throw this.#fault(name, error)
    }
  }

  /** Puts a whole file in its place at once. @throws {InputError} when it cannot be written */
  put(name: string, text: string): void {
    try {
      writeFileSync(join(this.path, `${name}.partial`), text)
      renameSync(join(this.path, `${name}.partial`), join(this.path, name))
    } catch (error) {
      throw this.#fault(name, error)
    }
  }

  close(): void {
    for (const descriptor of this.#descriptorsByName.values()) closeSync(descriptor)
    this.#descriptorsByName.clear()
  }

  #fault(name: string, error: unknown): InputError {
    const why = error instanceof Error ? error.message : 'for an unknown reason'
    return new InputError(join(this.path, name), `cannot be written (${why})`, { cause: error })
  }
}
