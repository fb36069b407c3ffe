/**
 * The files of a run in a directory: gathered in a private folder next to it during the run, and moved there together
 * at the end, so that a failed run leaves the files of an earlier one unchanged.
 *
 * Invariant: the directory has all files of one run or none, and nothing else is left at the end of the process. After
 * a kill, the next run or reader removes the remains.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import { InputError, type Place } from '../../domain/errors.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { FolderLock, type HeldLock } from '../locks/folder-lock.ts'
import { makeDirectory } from '../make-directory.ts'
import { PendingFile } from './pending-file.ts'
import {
  addPendingRun,
  type PendingRun,
  removePendingRun,
  reportWrittenPlace,
  type WrittenPlace,
} from './pending-runs.ts'
import { isPageName, REPORT_FILE, RUN_FILES, type RunFileName } from './run-file-names.ts'
import { checkContent, checkDirectory } from './run-place.ts'
import { sealedText } from './run-seal.ts'

/** Directory of the files being written. */
const gatheredIn = (stage: string): string => join(stage, 'run')
const wholeIn = (stage: string): string => join(stage, 'whole')
const beforeIn = (stage: string): string => join(stage, 'before')

/**
 * Moves the finished run to its place, in one rename if the place is empty.
 *
 * @throws an error of the file system; then the place is unchanged
 */
function putInPlace(stage: string, target: string): void {
  syncDirectory(gatheredIn(stage))
  if (isThere(target)) replace(stage, target)
  else renameSync(gatheredIn(stage), target)
  syncDirectory(dirname(target))
  try {
    removeReplaced(stage, target)
  } catch {
    // The run is in place; the next run removes the remains of the old one.
  }
}

function replace(stage: string, target: string): void {
  renameSync(gatheredIn(stage), wholeIn(stage))
  renameSync(target, beforeIn(stage))
  try {
    renameSync(wholeIn(stage), target)
  } catch (error) {
    renameSync(beforeIn(stage), target)
    throw error
  }
}

/**
 * Completes or rolls back what a killed run had started: a complete run is moved to an empty place, partial files are
 * removed.
 *
 * @param where  setting that names the place
 * @throws {InputError} if both candidates and another run exist
 */
function settle(where: Place, stage: string, target: string): void {
  const [isWhole, isReplacing] = [isThere(wholeIn(stage)), isThere(beforeIn(stage))]
  if (isThere(target) && isWhole && isReplacing) {
    const why = 'a killed run left two runs there, and another process wrote a third: keep what you need, and delete it'
    throw new InputError(where, `'${stage}' is in the way: ${why}`)
  }
  if (!isThere(target) && isWhole) renameSync(wholeIn(stage), target)
  if (!isThere(target) && isReplacing) renameSync(beforeIn(stage), target)
  removeReplaced(stage, target)
  removeGathered(stage)
}

/** Removes everything that was not moved to its place. */
function removeGathered(stage: string): void {
  removeRun(gatheredIn(stage))
  removeRun(wholeIn(stage))
}

/** Removes the replaced run; files that somebody added to it meanwhile are moved to the new run. */
function removeReplaced(stage: string, target: string): void {
  const before = beforeIn(stage)
  if (!isThere(before)) return
  removeRun(before)
  if (!isThere(before)) return
  for (const name of readdirSync(before)) {
    if (!isThere(join(target, name))) renameSync(join(before, name), join(target, name))
  }
  removeIfEmpty(before)
}

/** Removes the files of a run, and the directory if it is empty then. */
function removeRun(directory: string): void {
  if (!isThere(directory)) return
  const pages = readdirSync(directory).filter(isPageName)
  for (const name of [...RUN_FILES, ...pages]) rmSync(join(directory, name), { force: true })
  removeIfEmpty(directory)
}

/**
 * Somebody may have added a file meanwhile.
 *
 * Invariant: after a crash the place has the old run or the new one, or the next access restores one of them. Known
 * limit: the place is empty for a moment between the two renames of a replacement.
 */
function removeIfEmpty(directory: string): void {
  if (isThere(directory) && readdirSync(directory).length === 0) rmdirSync(directory)
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Makes the file names durable as well. */
function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Some systems cannot sync a directory.
  }
}

/** Longer than a cleanup holds the lock. */
const BUSY_MS = 200

/** The folder of the runs into a directory, whose path is absolute. */
const stageOf = (target: string): string => join(dirname(target), `.${basename(target)}.papertape`)

/**
 * The private folder next to the place of a run, in which its files are gathered, locked by one run at a time.
 *
 * The lock ends with its process. The next run finds what a killed one has left.
 */
class RunLock {
  /** Absolute. */
  readonly stage: string
  readonly #lock: FolderLock

  private constructor(stage: string, lock: FolderLock) {
    this.stage = stage
    this.#lock = lock
  }

  /**
   * @param where        setting that names the directory of the run
   * @param path         of that directory; its parent exists
   * @param endedThread  number of a terminated thread of this process that may have held it
   * @throws {InputError} if another run holds it
   * @throws an error of the file system if the folder cannot be created
   */
  static take(where: Place, path: string, endedThread?: number): RunLock {
    const stage = stageOf(resolve(path))
    const make = (): void => {
      makePrivate(where, stage)
    }
    const taken = FolderLock.take(stage, { make, waitMs: BUSY_MS, endedThread })
    if (taken instanceof FolderLock) return new RunLock(stage, taken)
    throw new InputError(where, `another run is writing to '${path}'${holderText(taken, stage)}`)
  }

  /** Takes the folder away, unless something is left in it. */
  release(): void {
    this.#lock.release()
  }
}

function makePrivate(where: Place, stage: string): void {
  try {
    mkdirSync(stage, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const stats = lstatSync(stage, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isDirectory()) throw new InputError(where, `'${stage}' is in the way: runs in progress are written there`)
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user && user !== 0) {
    throw new InputError(where, `'${stage}', where runs are gathered, belongs to another user`)
  }
}

function holderText({ holder, isSeen }: HeldLock, stage: string): string {
  const process = holder === undefined ? '' : `process ${holder.pid}`
  if (isSeen) return ` (${process}), and gathers it in '${stage}'`
  const [host = ''] = holder?.host.split(' ') ?? []
  const who = holder === undefined ? '' : ` (${process} in another container or on another machine, '${host}')`
  return `${who}: if it has ended, delete '${join(stage, 'lock')}'`
}

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
    reportWrittenPlace({ target: this.#target, made: this.#made, thread: threadId })
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
