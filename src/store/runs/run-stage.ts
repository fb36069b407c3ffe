/**
 * The private folder of a run: `run` is being written, `whole` is complete and about to be moved to its place, `before`
 * is the replaced run.
 *
 * Invariant: after a crash the place has the old run or the new one, or the next access restores one of them. Known
 * limit: the place is empty for a moment between the two renames of a replacement.
 */
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { isPageName, RUN_FILES } from './run-file-names.ts'

/** Directory of the files being written. */
export const gatheredIn = (stage: string): string => join(stage, 'run')
const wholeIn = (stage: string): string => join(stage, 'whole')
const beforeIn = (stage: string): string => join(stage, 'before')

/**
 * Moves the finished run to its place, in one rename if the place is empty.
 *
 * @throws an error of the file system; then the place is unchanged
 */
export function putInPlace(stage: string, target: string): void {
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
export function settle(where: Place, stage: string, target: string): void {
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
export function removeGathered(stage: string): void {
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

/** Somebody may have added a file meanwhile. */
export function removeIfEmpty(directory: string): void {
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
