/**
 * The private folder next to the place of a run, in which its files are gathered, locked by one run at a time.
 *
 * The lock ends with its process. The next run finds what a killed one has left.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { FolderLock, type HeldLock } from '../locks/folder-lock.ts'

/** Longer than a cleanup holds the lock. */
const BUSY_MS = 200

/** The folder of the runs into a directory, whose path is absolute. */
export const stageOf = (target: string): string => join(dirname(target), `.${basename(target)}.papertape`)

export class RunLock {
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
