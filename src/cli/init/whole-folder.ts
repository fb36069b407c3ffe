/**
 * Fills a new or empty folder atomically, even if a signal interrupts it.
 *
 * Known limit: a killed process leaves `.papertape-init-<process id>`.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { InputError } from '../../domain/errors.ts'
import { io } from '../cli-io.ts'
import { writeFault } from '../../domain/write-fault.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Maximum number of names listed for a folder that is not empty. */
const MAX_NAMED = 5
/** An empty repository counts as empty folder. */
const MAY_BE_THERE = ['.git']

/**
 * @param directory  as named by the user; parent folders are created
 * @param fill       receives the folder to fill, which is a temporary one
 * @throws {InputError} if the directory is not empty, or cannot be created
 */
export async function fillWhole(directory: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const target = resolve(directory)
  try {
    const isThere = checkEmpty(directory, target)
    const made = isThere ? undefined : mkdirSync(dirname(target), { recursive: true })
    const stage = join(isThere ? target : dirname(target), `.papertape-init-${io.life.pid}`)
    const clear = (): void => {
      rmSync(stage, { recursive: true, force: true })
      if (made !== undefined) removeEmpty(dirname(target), made)
    }
    await clearedUnlessDone(clear, async () => {
      mkdirSync(stage)
      await fill(stage)
      if (isThere) moveInto(target, stage)
      else renameSync(stage, target)
    })
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error && 'code' in error)) throw error
    throw writeFault(escapedExcerpt(directory), 'cannot be created', error)
  }
}

/** @returns true for an empty folder, false if it does not exist @throws {InputError} otherwise */
function checkEmpty(directory: string, target: string): boolean {
  const place = escapedExcerpt(directory)
  if (directory === '') throw new InputError('init', 'expected the name of a directory')
  const found = lstatSync(target, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) throw new InputError(place, 'exists and is not a directory')
  const names = readdirSync(target).filter((name) => !MAY_BE_THERE.includes(name))
  if (names.length === 0) return true
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const named = names.sort().slice(0, MAX_NAMED).map(escapedExcerpt).join(', ')
  throw new InputError(place, `is not empty: it has ${named}${more}; give a directory that does not exist yet`)
}

async function clearedUnlessDone(clear: () => void, work: () => Promise<void>): Promise<void> {
  const onSignal = (signal: NodeJS.Signals): void => {
    clear()
    for (const each of SIGNALS) io.life.offSignal(each, onSignal)
    io.life.raise(signal)
  }
  for (const signal of SIGNALS) io.life.onSignal(signal, onSignal)
  try {
    await work()
  } catch (error) {
    clear()
    throw error
  } finally {
    for (const signal of SIGNALS) io.life.offSignal(signal, onSignal)
  }
}

/** Moves the files instead of the folder, which may be somebody's working directory. */
function moveInto(target: string, stage: string): void {
  const moved: string[] = []
  try {
    for (const name of readdirSync(stage)) {
      if (lstatSync(join(target, name), { throwIfNoEntry: false }) !== undefined)
        throw new InputError(name, 'appeared in the directory meanwhile and was left unchanged')
      renameSync(join(stage, name), join(target, name))
      moved.push(name)
    }
    rmdirSync(stage)
  } catch (error) {
    for (const name of moved) rmSync(join(target, name), { recursive: true, force: true })
    throw error
  }
}

/** Removes folders from the given one up to the first created one, unless they are no longer empty. */
function removeEmpty(folder: string, first: string): void {
  try {
    for (let each = folder; each.length >= first.length; each = dirname(each)) rmdirSync(each)
  } catch {
    // No longer empty.
  }
}
