/**
 * The files of a run in a directory: gathered in a private folder beside it while the run goes on, and put there
 * together at its end, so that a run that fails half-way leaves the files of an earlier one as they were.
 *
 * Invariant: the directory holds all files of one run or none, and the end of the process leaves nothing beside it.
 * After a kill the next run into it, or a look at it, takes away what was left.
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
  /** Directories that were made for it, the innermost last. */
  readonly #made: readonly string[]
  readonly #lock: RunLock
  #isPending = false

  /**
   * @param where     the setting that names the path
   * @param replaces  true to take the place of an earlier backtest
   * @throws {InputError} when the directory cannot be made or written, holds what is no backtest, or when another run
   * writes into it
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

  /** Leaves nothing behind. Once is enough; more do no harm, nor after a commit. */
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

/** After the end of a thread that was to write there: takes away what it left, unless others write there. */
export function clearWrittenPlace({ target, made, thread }: WrittenPlace): void {
  settleRunDirectory(target, thread)
  removeMade(made)
}

/**
 * Before a run is read: what a process that was killed had begun to put there is ended, when nobody else is at it.
 *
 * @param path         of a run
 * @param endedThread  number of a thread of this process that has ended, and may have written there
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
    // It is being written, or belongs to somebody else: what stands in the directory itself is read.
  }
}
