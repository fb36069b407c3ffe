/**
 * A lock on a folder, which one thread of one process has at a time. It needs nothing but directories and their
 * renaming.
 *
 * `lock` in the folder is a directory with the mark of who has it. It is filled under another name and renamed: that does not succeed where
 * one stands. Whoever has died with it is not removed, for a third may have done that already and have the lock by now:
 * the lock then belongs to `after-TOKEN`, named after the token of the dead and taken by the same rename, and so on to
 * the first who is still there.
 *
 * Invariants: a token is given once, so `after-TOKEN` is that of one dead holder for ever; only who has the lock takes
 * `lock` away; a directory is never emptied where it counts, but renamed first. Known limits: who has died in another
 * container, or on another machine, cannot be told from who is at work there, and keeps the lock; so does a thread that
 * was ended from outside, until its process ends.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { markIn, ownMark, presenceOf, type ProcessMark } from './process-mark.ts'

const ROOT = 'lock'
const [MARK, NEW, AFTER, GONE] = ['holder', 'new-', 'after-', 'gone-']
/** A folder may be taken away by whoever had it while we come to it. */
const ATTEMPTS = 1000
const PAUSE_MS = 10

/** Somebody else has the lock. */
export interface HeldLock {
  /** Undefined when it cannot be read. */
  readonly holder: ProcessMark | undefined
  /** False for one who cannot be seen from here. */
  readonly isSeen: boolean
}

export interface LockRequest {
  /** Makes the folder where it is not there; what stands above it does. */
  readonly make: () => void
  /** For whoever has it for a moment. */
  readonly waitMs: number
  /** Number of a thread of this process that has ended, and may have had it. */
  readonly endedThread?: number | undefined
}

interface Taken {
  readonly token: string
  readonly chain: readonly string[]
}

export class FolderLock {
  readonly #folder: string
  readonly #token: string
  /** Names in the folder through which it came to us, the last our own. */
  readonly #chain: readonly string[]

  private constructor(folder: string, token: string, chain: readonly string[]) {
    this.#folder = folder
    this.#token = token
    this.#chain = chain
  }

  /** @throws an error of the file system */
  static take(folder: string, request: LockRequest): FolderLock | HeldLock {
    let waitedMs = 0
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const entry = entered(folder, request)
      if (entry === 'again') continue
      if ('chain' in entry) {
        const lock = new FolderLock(folder, entry.token, entry.chain)
        lock.#sweep()
        return lock
      }
      dropEmpty(folder)
      if (waitedMs >= request.waitMs || !entry.isSeen) return entry
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
      waitedMs += PAUSE_MS
    }
    throw Object.assign(new Error(`'${folder}' cannot be created`), { code: 'ENOENT', syscall: 'mkdir' })
  }

  /** Takes the folder away, unless something else is in it. */
  release(): void {
    this.#sweep()
    // From the first on somebody else may have it.
    for (const name of this.#chain) putAside(this.#folder, name, name === ROOT ? this.#token : name)
    dropEmpty(this.#folder)
  }

  /** What others have left who were killed. One who is at it meanwhile begins anew. */
  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      if (this.#chain.includes(name)) continue
      if (name.startsWith(NEW) || name.startsWith(AFTER)) putAside(this.#folder, name, name)
      else if (name.startsWith(GONE)) remove(join(this.#folder, name))
    }
  }
}

/** One attempt, which leaves nothing when it does not succeed. */
function entered(folder: string, { make, endedThread }: LockRequest): Taken | HeldLock | 'again' {
  let path: string | undefined
  try {
    make()
    path = mkdtempSync(join(folder, NEW))
    const token = newToken(path)
    writeMark(join(path, MARK), token)
    const entry = follow(folder, path, endedThread)
    if (Array.isArray(entry)) return { token, chain: entry }
    remove(path)
    return entry
  } catch (error) {
    if (path !== undefined) remove(path)
    if (isCode(error, ['ENOENT'])) return 'again'
    throw error
  }
}

let tokens = 0

/** By the process, its start and a number, and where the system tells no start, by the name that it has found. */
function newToken(path: string): string {
  tokens += 1
  return createHash('sha256')
    .update(JSON.stringify([ownMark(), tokens, basename(path)]))
    .digest('hex')
}

/** From one who is dead to the next, to the first who is there, or to the end, which is ours. */
function follow(folder: string, path: string, endedThread: number | undefined): string[] | HeldLock | 'again' {
  const chain: string[] = [ROOT]
  let root: string | undefined
  for (let place = ROOT; ; chain.push(place)) {
    if (isMoved(path, join(folder, place))) return confirmed(folder, place, root, chain)
    const found = readMark(join(folder, place))
    if (found === undefined) return 'again'
    const presence = found.mark === undefined ? 'unseen' : presenceOf(found.mark, endedThread)
    if (presence !== 'gone') return { holder: found.mark, isSeen: presence === 'there' }
    root ??= found.token
    place = AFTER + found.token
  }
}

/** While the root is who it was, nobody has given the lock back since, and the end of the chain is the end. */
function confirmed(folder: string, place: string, root: string | undefined, chain: string[]): string[] | 'again' {
  if (root === undefined || readMark(join(folder, ROOT))?.token === root) return chain
  remove(join(folder, place))
  return 'again'
}

/** On the disk before it counts: a mark that nobody can read would be waited for until somebody removes it. */
function writeMark(file: string, token: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(descriptor, `${token}\n${JSON.stringify(ownMark())}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Undefined when it is not there any more. */
function readMark(directory: string): { readonly token: string; readonly mark: ProcessMark | undefined } | undefined {
  try {
    const [token = '', text = ''] = readFileSync(join(directory, MARK), 'utf8').split('\n')
    return { token, mark: markIn(text) }
  } catch (error) {
    if (isCode(error, ['ENOENT'])) return undefined
    return { token: '', mark: undefined }
  }
}

/** False where something stands. */
function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, ['ENOTEMPTY', 'EEXIST'])) return false
    // So Windows says it, which may be told of other things too.
    if (isCode(error, ['EPERM', 'EACCES']) && existsSync(to)) return false
    throw error
  }
}

/** Out of its place, before it is emptied. Windows renames no directory while somebody reads in it. */
function putAside(folder: string, name: string, as: string): void {
  const aside = join(folder, GONE + as)
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(join(folder, name), aside)
      break
    } catch (error) {
      if (isCode(error, ['ENOENT'])) break
      if (attempt === ATTEMPTS || !isCode(error, ['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY', 'EEXIST'])) throw error
      remove(aside)
    }
  }
  remove(aside)
}

/** What cannot be removed, the next one does. */
function remove(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // Somebody else is at it.
  }
}

function dropEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something is in it.
  }
}

const isCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
