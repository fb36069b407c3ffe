/**
 * The private folder of a run, by what stands in it: `run` is being written, `whole` is about to take its place,
 * `before` is the run that stood there.
 *
 * Invariant: whatever ends the process, the place holds the old run or the new one, or the next look at it puts one
 * there: `before` and
 * `whole` are never both without a place.
 * Known limit: between the two renames that replace a run, its place is empty for a moment.
 */
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { isPageName, RUN_FILES } from './run-file-names.ts'

/** Directory of the files that are being written. */
export const gatheredIn = (stage: string): string => join(stage, 'run')
const wholeIn = (stage: string): string => join(stage, 'whole')
const beforeIn = (stage: string): string => join(stage, 'before')

/**
 * Puts the gathered run in its place, in one rename where no other run stands there.
 *
 * @throws an error of the file system; then the place is as it was
 */
export function putInPlace(stage: string, target: string): void {
  syncDirectory(gatheredIn(stage))
  if (isThere(target)) replace(stage, target)
  else renameSync(gatheredIn(stage), target)
  syncDirectory(dirname(target))
  try {
    removeReplaced(stage, target)
  } catch {
    // The run is in its place. What is left of the old one, the next run into it takes away.
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
 * Ends what a run that was killed had begun: a run that was whole takes its place where none is, and what was half
 * written goes.
 *
 * @param where  the setting that names the place
 * @throws {InputError} when it cannot be told what is whose
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

/** Takes away what is not in its place. */
export function removeGathered(stage: string): void {
  removeRun(gatheredIn(stage))
  removeRun(wholeIn(stage))
}

/** What somebody has put beside the files of the old run in the meantime goes where they put it. */
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

/** Its files, and itself unless something else is in it. */
function removeRun(directory: string): void {
  if (!isThere(directory)) return
  const pages = readdirSync(directory).filter(isPageName)
  for (const name of [...RUN_FILES, ...pages]) rmSync(join(directory, name), { force: true })
  removeIfEmpty(directory)
}

/** Somebody else may have put something there in the meantime. */
export function removeIfEmpty(directory: string): void {
  if (isThere(directory) && readdirSync(directory).length === 0) rmdirSync(directory)
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** So that a failure of the machine finds the names of the files on the disk too. */
function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Not every system can do that to a directory.
  }
}
