/**
 * Files of this machine that came from another: tapes by their digest, and code where its imports find what is
 * installed here.
 *
 * Invariant: a file is used only after its bytes were found to have the digest that it was asked for by. Files of one
 * cache may be used by several processes at once: each has its name once it is whole.
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
import { contentHash } from '../../../runtime/sweep/point-key.ts'
import { FolderLock } from '../../../store/locks/folder-lock.ts'
import { fileSha256 } from './packed-tape.ts'
import { partialOf, type RedisBlobs } from './redis-blobs.ts'
import type { TravellingCode } from './job-bundle.ts'

/** What nobody has used for so long goes. */
const KEPT_DAYS = 30
const [TAPES, CODE] = ['tapes', 'code']

const LOOK_MS = 300

interface Fetching {
  /** Of the file or folder that is fetched; what stands beside it begins with its name. */
  readonly path: string
  /** Whether it is there, and what it should be. */
  readonly isThere: () => boolean | Promise<boolean>
  readonly fetch: () => Promise<void>
}

/**
 * A file that several processes of a machine want at once: one of them fetches it, the others wait for it.
 *
 * Known limit: who is in another container is not waited for, since nobody can tell from here whether he is still at
 * it.
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
   * @param folder  made where it is not there
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
   * @param now  Unix milliseconds
   * @returns the path of the file
   * @throws {InputError} when Redis does not have it
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
   * @param packages  the folder whose `node_modules`, or that of a folder above it, has the packages of the code
   * @param now       Unix milliseconds
   * @returns the path of its first file
   * @throws {InputError} when Redis does not have all of it
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
      // Another container may have been faster, and load it by now.
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
    if (now - statSync(path).mtimeMs > KEPT_DAYS * DAY_MS) rmSync(path, { recursive: true, force: true })
  } catch {
    // Another process has done so.
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
