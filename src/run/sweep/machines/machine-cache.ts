/**
 * Local cache of files from other machines: tapes by digest, and code next to the installed packages that it imports.
 *
 * Invariant: a file is used only after its digest was verified. Several processes can share a cache: a file gets its
 * name when it is complete.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '../../../domain/time.ts'
import { contentHash } from '../../../sweep/point-key.ts'
import { FolderLock } from '../../../store/locks/folder-lock.ts'
import { fileSha256 } from './packed-tape.ts'
import { partialOf, type RedisBlobs } from './redis-blobs.ts'
import type { TravellingCode } from './job-bundle.ts'

/** Entries not used for this long are deleted. */
const MAX_UNUSED_DAYS = 30
const [TAPES, CODE] = ['tapes', 'code']

const LOOK_MS = 300

interface Fetching {
  /** Path of the file or folder to fetch; temporary files next to it start with the same name. */
  readonly path: string
  /** True if it exists with the expected content. */
  readonly isThere: () => boolean | Promise<boolean>
  readonly fetch: () => Promise<void>
}

/**
 * Single flight across the processes of a machine: one process fetches a file, the others wait.
 *
 * Known limit: processes in other containers are not waited for, because their liveness cannot be checked.
 */
export async function fetchedOnce({ path, isThere, fetch }: Fetching): Promise<void> {
  const folder = `${path}.lock`
  const make = (): void => void mkdirSync(folder, { recursive: true, mode: 0o700 })
  while (!(await isThere())) {
    const lock = FolderLock.take(folder, { make, waitMs: 0 })
    if (!(lock instanceof FolderLock) && lock.isSeen) {
      await pause(LOOK_MS)
      continue
    }
    try {
      if (!(await isThere())) await fetch()
      return
    } finally {
      if (lock instanceof FolderLock) lock.release()
    }
  }
}

export class MachineCache {
  readonly #folder: string
  readonly #blobs: RedisBlobs

  /**
   * @param folder  created if missing
   * @param now     Unix milliseconds
   * @throws {Error} of the file system
   */
  constructor(folder: string, blobs: RedisBlobs, now: number) {
    this.#folder = resolve(folder)
    this.#blobs = blobs
    for (const name of [TAPES, CODE]) {
      const place = join(this.#folder, name)
      mkdirSync(place, { recursive: true, mode: 0o700 })
      for (const entry of readdirSync(place)) forgetOld(join(place, entry), now)
    }
  }

  /**
   * A tape, or another recording.
   *
   * @param now  Unix milliseconds
   * @returns the path of the file
   * @throws {InputError} if Redis does not have it
   */
  async tape(sha256: string, now: number): Promise<string> {
    const file = join(this.#folder, TAPES, `${sha256}.tape`)
    await fetchedOnce({
      path: file,
      isThere: async () => existsSync(file) && (await fileSha256(file)) === sha256,
      fetch: () => this.#blobs.fetchInto(sha256, file),
    })
    utimesSync(file, now / 1_000, now / 1_000)
    return file
  }

  /**
   * @param packages  folder from which `node_modules` is searched upwards
   * @param now       Unix milliseconds
   * @returns the path of the entry file
   * @throws {InputError} if Redis does not have all files
   */
  async code(code: TravellingCode, packages: string, now: number): Promise<string> {
    const modules = nearestModules(packages)
    const folder = join(this.#folder, CODE, contentHash([code, modules ?? null]))
    const entry = join(folder, ...code.entry.split('/'))
    const isThere = (): boolean =>
      code.files.every(({ path, sha256 }) => hasBytes(join(folder, ...path.split('/')), sha256))
    await fetchedOnce({ path: folder, isThere, fetch: () => this.#fetchCode(code, { folder, modules, isThere }) })
    utimesSync(folder, now / 1_000, now / 1_000)
    return entry
  }

  async #fetchCode({ files }: TravellingCode, { folder, modules, isThere }: CodePlace): Promise<void> {
    const draft = partialOf(folder)
    try {
      for (const { path, sha256 } of files) {
        const file = join(draft, ...path.split('/'))
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(file, await this.#blobs.fetch(sha256), { mode: 0o600 })
      }
      if (modules !== undefined) symlinkSync(modules, join(draft, 'node_modules'), 'junction')
      // Another container may have finished first and be using the folder.
      if (isThere()) return
      rmSync(folder, { recursive: true, force: true })
      renameSync(draft, folder)
    } catch (error) {
      if (!isThere()) throw error
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }
}

interface CodePlace {
  readonly folder: string
  readonly modules: string | undefined
  readonly isThere: () => boolean
}

function forgetOld(path: string, now: number): void {
  try {
    if (now - statSync(path).mtimeMs > MAX_UNUSED_DAYS * DAY_MS) rmSync(path, { recursive: true, force: true })
  } catch {
    // Deleted by another process.
  }
}

function hasBytes(path: string, sha256: string): boolean {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex') === sha256
  } catch {
    return false
  }
}

function nearestModules(folder: string): string | undefined {
  for (let above = resolve(folder); ; above = dirname(above)) {
    const modules = join(above, 'node_modules')
    if (existsSync(modules)) return modules
    if (dirname(above) === above) return undefined
  }
}
