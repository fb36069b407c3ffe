/**
 * The lock of an API key: only one process at a time trades with it, whichever state directories are used.
 *
 * It is taken in every writable place, and one that is held elsewhere is enough to refuse: the data directory of a
 * service may differ from that of a shell, and the temporary directory may be private or be cleaned during a long
 * session. Known limits: other users and other machines are not detected, nor is one service under two addresses.
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
  /** User id; undefined on systems without. */
  readonly uid: number | undefined
}

/** Lock directories for a key at a service. */
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

/** Lock directories for the current user. */
export function userKeyLocks(url: string, apiKey: string): string[] {
  const places = { dataDirectory: userDataDirectory(), temporary: tmpdir(), uid: process.getuid?.() }
  return keyLockDirectories(places, url, apiKey)
}

/**
 * @param directories  places of the same lock
 * @returns undefined if none of them is writable
 * @throws {InputError} if another process holds it
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

/** Anyone can create a directory in the temporary one: that of another user is not used. */
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
