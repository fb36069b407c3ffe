/**
 * The lock of an API key: one process at a time trades with it, whatever state directory each of them uses.
 *
 * It is taken in every place that can be written to, and one that is taken is enough to refuse: the data directory may
 * be another one for a service than in a shell, and the directory of temporary files may be private, or cleaned while a
 * session runs for weeks. Known limits: another user and another machine are not seen, and neither is one service under
 * two addresses.
 */
import { lstatSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { InputError } from '../../../domain/errors.ts'
import { makeDirectory } from '../../make-directory.ts'
import { accountName, userDataDirectory } from '../data-directory.ts'
import { AccountLock, lockHolder, type LockHolder } from './account-lock.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

export interface LockPlaces {
  readonly dataDirectory: string
  /** Directory of temporary files. */
  readonly temporary: string
  /** Of the user; undefined where users have none. */
  readonly uid: number | undefined
}

/** The directories of the lock of a key at a service. */
export function keyLockDirectories(
  { dataDirectory, temporary, uid }: LockPlaces,
  url: string,
  apiKey: string,
): string[] {
  const address = new URL(url)
  const host = LOOPBACK.test(address.hostname) ? `127.0.0.1${address.port && `:${address.port}`}` : address.host
  const name = accountName(`http://${host}/`, apiKey)
  return [
    join(dataDirectory, 'live-keys', name),
    join(temporary, uid === undefined ? 'papertape' : `papertape-${uid}`, name),
  ]
}

/** The same for the user who runs this process. */
export function userKeyLocks(url: string, apiKey: string): string[] {
  const places = { dataDirectory: userDataDirectory(), temporary: tmpdir(), uid: process.getuid?.() }
  return keyLockDirectories(places, url, apiKey)
}

/**
 * @param directories  each of which is another place of the same lock
 * @returns undefined when none of them can be written to
 * @throws {InputError} when another process has it
 */
export function takeKeyLock(directories: readonly string[], holder: LockHolder): { release(): void } | undefined {
  const taken: AccountLock[] = []
  const release = (): void => {
    for (const lock of taken) lock.release()
  }
  for (const directory of directories) {
    if (!isOurs(directory)) continue
    const lock = takeIfPossible(directory, holder)
    if (lock === 'impossible') continue
    if (lock === undefined) {
      release()
      throw inUse(lockHolder(directory))
    }
    taken.push(lock)
  }
  return taken.length === 0 ? undefined : { release }
}

function inUse(holder: LockHolder | undefined): InputError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`
  return new InputError(
    'PAPERTAPE_API_KEY',
    `${who} is trading with this key from another state directory: stop it, or use another key`,
  )
}

/** Everybody may make a directory in the one of temporary files: that of somebody else is not written to. */
function isOurs(directory: string): boolean {
  const parent = dirname(resolve(directory))
  try {
    makeDirectory(parent, 0o700)
    const stats = lstatSync(parent)
    return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid())
  } catch {
    return false
  }
}

function takeIfPossible(directory: string, holder: LockHolder): AccountLock | undefined | 'impossible' {
  try {
    return AccountLock.take(directory, holder)
  } catch (error) {
    if (error instanceof InputError) return 'impossible'
    throw error
  }
}
