/**
 * The files of a run in a directory: gathered in a private folder next to it during the run, and moved there together
 * at the end, so that a failed run leaves the files of an earlier one unchanged.
 *
 * Invariant: the directory has all files of one run or none, and nothing else is left at the end of the process. After
 * a kill, the next run or reader removes the remains.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import { InputError, type Place } from '../../domain/errors.ts'
import { makeDirectory } from '../make-directory.ts'
import { PendingFile } from './pending-file.ts'
import {
  addPendingRun,
  removePendingRun,
  tellWrittenPlace,
  type PendingRun,
  type WrittenPlace,
} from './pending-runs.ts'
import { REPORT_FILE, type RunFileName } from './run-file-names.ts'
import { RunLock, stageOf } from './run-lock.ts'
import { checkContent, checkDirectory } from './run-place.ts'
import { sealedText } from './run-seal.ts'
import { gatheredIn, putInPlace, removeGathered, removeIfEmpty, settle } from './run-stage.ts'
import { writeFault } from '../../domain/write-fault.ts'

export class RunDirectory implements PendingRun {
  readonly #where: Place
  readonly #path: string
  readonly #replaces: boolean
  readonly #target: string
  readonly #filesByName = new Map<RunFileName, PendingFile>()
  /** Directories created for it, the innermost last. */
  readonly #made: readonly string[]
  readonly #lock: RunLock
  #isPending = false

  /**
   * @param where     setting that names the path
   * @param replaces  true to replace an earlier backtest
   * @throws {InputError} if the directory cannot be created or written, contains anything but a backtest, or if another
   * run is writing to it
   */
  constructor(where: Place, path: string, replaces: boolean) {
    this.#where = where
    this.#path = path
    this.#replaces = replaces
    this.#target = resolve(path)
    this.#made = this.#try(() => {
      checkDirectory(where, path)
      return makeDirectory(dirname(this.#target))
    }, `cannot write to '${path}'`)
    tellWrittenPlace({ target: this.#target, made: this.#made, thread: threadId })
    try {
      const cannot = `cannot write in the parent directory of '${path}'`
      this.#lock = this.#try(() => RunLock.take(where, path), cannot)
      this.#begin()
    } catch (error) {
      this.#removeMade()
      throw error
    }
  }

  append(name: RunFileName, text: string): void {
    let file = this.#filesByName.get(name)
    if (file === undefined) {
      file = new PendingFile(join(gatheredIn(this.#lock.stage), name), join(this.#path, name))
      this.#filesByName.set(name, file)
    }
    file.append(text)
  }

  /**
   * Puts every file in its place, and with them the report, which is sealed.
   *
   * @throws {InputError} when one could not be written whole, or the place is not free any more; then none is put there
   */
  commit(report: object): void {
    const hashes = [...this.#filesByName].map(([name, file]) => [name, file.close()] as const)
    this.append(REPORT_FILE, sealedText(report, Object.fromEntries(hashes)))
    this.#filesByName.get(REPORT_FILE)?.close()
    if (checkDirectory(this.#where, this.#path)) checkContent(this.#where, this.#path, this.#replaces)
    this.#try(() => {
      putInPlace(this.#lock.stage, this.#target)
    }, `the run cannot be put at '${this.#path}'`)
    this.#forget()
  }

  /** Removes all files. Idempotent, and without effect after a commit. */
  discard(): void {
    if (!this.#isPending) return
    for (const file of this.#filesByName.values()) file.abandon()
    removeGathered(this.#lock.stage)
    this.#forget()
    this.#removeMade()
  }

  #begin(): void {
    try {
      this.#try(() => {
        settle(this.#where, this.#lock.stage, this.#target)
      }, `the files of a killed run in '${this.#lock.stage}' cannot be removed`)
      if (checkDirectory(this.#where, this.#path)) checkContent(this.#where, this.#path, this.#replaces)
      this.#try(() => {
        mkdirSync(gatheredIn(this.#lock.stage))
      }, `cannot write in the parent directory of '${this.#path}'`)
    } catch (error) {
      this.#lock.release()
      throw error
    }
    this.#isPending = true
    addPendingRun(this)
  }

  #forget(): void {
    this.#isPending = false
    removePendingRun(this)
    this.#filesByName.clear()
    this.#lock.release()
  }

  #removeMade(): void {
    removeMade(this.#made)
  }

  #try<T>(action: () => T, message: string): T {
    try {
      return action()
    } catch (error) {
      if (error instanceof InputError) throw error
      throw writeFault(this.#where, message, error)
    }
  }
}

function removeMade(made: readonly string[]): void {
  for (const directory of made.toReversed()) removeIfEmpty(directory)
}

/** Cleanup after the end of a writing thread, unless others write there. */
export function clearWrittenPlace({ target, made, thread }: WrittenPlace): void {
  settleRunDirectory(target, thread)
  removeMade(made)
}

/**
 * Call before reading a run: completes or rolls back what a killed process had started, unless somebody is writing
 * there.
 *
 * @param path         of a run
 * @param endedThread  number of a terminated thread of this process that may have been writing there
 */
export function settleRunDirectory(path: string, endedThread?: number): void {
  const target = resolve(path)
  if (!existsSync(stageOf(target))) return
  try {
    const lock = RunLock.take(path, path, endedThread)
    try {
      settle(path, lock.stage, target)
    } finally {
      lock.release()
    }
  } catch {
    // Another process is writing: the present content of the directory is read.
  }
}
