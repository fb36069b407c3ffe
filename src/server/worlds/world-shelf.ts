/**
 * The snapshots of an emulator by name: in memory, or in a folder, where each is a file that is written whole.
 *
 * Known limit: a folder is of one emulator at a time.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { fileRemedy } from '../../domain/write-fault.ts'
import { writeWhole } from '../../store/whole-file.ts'
import { fieldError, ServiceError } from '../envelope/service-error.ts'
import { readWorldFile, worldFileText } from './world-file.ts'
import { openOrdersOf, userIdsOf } from './world-facts.ts'
import type { WorldSnapshot } from './world-snapshot.ts'
import type { SnapshotInfo } from './worlds.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const ENDING = '.world.json'
/** Snapshots of an emulator, so that a loop of a client fills neither memory nor disk. */
const MAX_SNAPSHOTS = 1_000

/** @throws {ServiceError} for a text that cannot be a name */
export function checkName(name: string): void {
  if (NAME.test(name)) return
  throw fieldError('name', `expected 1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit`)
}

export function noSuch(what: string, name: string): ServiceError {
  const message = `there is no ${what} '${name.slice(0, 64)}'`
  return new ServiceError('VALIDATION_ERROR', message, { status: 404, details: [{ field: 'name', message }] })
}

export class WorldShelf {
  readonly #folder: string | undefined
  readonly #worldsByName = new Map<string, WorldSnapshot>()

  /** @param folder  undefined for memory only @throws {InputError} for a file in it that cannot be read */
  constructor(folder: string | undefined) {
    this.#folder = folder
    for (const name of namesIn(folder)) this.#worldsByName.set(name, readWorld(this.#fileOf(name)))
  }

  /** @throws {ServiceError} for a wrong name, one in use, or a file that cannot be written */
  put(name: string, world: WorldSnapshot, replace: boolean): SnapshotInfo {
    checkName(name)
    if (!replace && this.#worldsByName.has(name)) {
      throw fieldError('name', `a snapshot '${name}' exists already: delete it first, or replace it`)
    }
    if (this.#worldsByName.size >= MAX_SNAPSHOTS && !this.#worldsByName.has(name)) {
      throw fieldError('name', `there are ${MAX_SNAPSHOTS} snapshots already: delete one first`)
    }
    if (this.#folder !== undefined) save(this.#folder, this.#fileOf(name), worldFileText(world))
    this.#worldsByName.set(name, world)
    return infoOf(name, world)
  }

  /** @throws {ServiceError} 404 */
  get(name: string): WorldSnapshot {
    const world = this.#worldsByName.get(name)
    if (world === undefined) throw noSuch('snapshot', name)
    return world
  }

  list(): readonly SnapshotInfo[] {
    return Array.from(this.#worldsByName, ([name, world]) => infoOf(name, world))
  }

  /** @throws {ServiceError} 404 */
  remove(name: string): void {
    this.get(name)
    if (this.#folder !== undefined) rmSync(this.#fileOf(name), { force: true })
    this.#worldsByName.delete(name)
  }

  #fileOf(name: string): string {
    return join(this.#folder ?? '', name + ENDING)
  }
}

/** Description of a snapshot. */
export const infoOf = (name: string, world: WorldSnapshot): SnapshotInfo => ({
  name,
  time: world.time,
  users: userIdsOf(world).size,
  openOrders: openOrdersOf(world).length,
  agents: world.agents.length > 0,
})

/** Names of the snapshots in a folder, if it exists; unfinished files are not among them. */
function namesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || !existsSync(folder)) return []
  try {
    const names = readdirSync(folder).filter((file) => file.endsWith(ENDING))
    return names.map((file) => file.slice(0, -ENDING.length)).sort()
  } catch (error) {
    throw unreadable(folder, error)
  }
}

const unreadable = (path: string, error: unknown): InputError =>
  new InputError(path, `cannot be read (${thrownText(error)})`, { cause: error })

/** @throws {InputError} naming the file */
export function readWorld(file: string): WorldSnapshot {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
  try {
    return readWorldFile(file, JSON.parse(text))
  } catch (error) {
    const why = error instanceof InputError ? error.message.slice(`${file}: `.length) : 'is not the file of a snapshot'
    throw new InputError(file, `${why}; move or delete it`, { cause: error })
  }
}

/** @throws {ServiceError} if it cannot be written; then nothing of it is there */
function save(folder: string, file: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(file, text, 0o600)
  } catch (error) {
    rmSync(`${file}.new`, { force: true })
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      `the snapshot could not be written (${thrownText(error)})${fileRemedy(error)}`,
    )
  }
}
