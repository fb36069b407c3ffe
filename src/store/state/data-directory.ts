/**
 * Default folders: the user's data directory, the state of a live account, and new runs.
 *
 * Invariant: no name contains a part of a key, and a new run directory never existed before.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, posix, resolve, win32 } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { makeDirectory } from '../make-directory.ts'

/** Undefined for a user without one, such as a container's numeric user that has no account. */
export function userHome(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}

export interface UserPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const MAX_RUNS_OF_A_SECOND = 1_000

/**
 * The data directory by platform convention. A variable with a relative path is ignored, as the XDG specification
 * requires.
 */
export function dataDirectory({ platform, env, home }: UserPlace): string {
  const path = platform === 'win32' ? win32 : posix
  const given = (name: string, otherwise: string): string => {
    const value = env[name]
    return value !== undefined && path.isAbsolute(value) ? value : otherwise
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'papertape')
  const folder =
    platform === 'win32'
      ? given('LOCALAPPDATA', path.join(home, 'AppData', 'Local'))
      : given('XDG_DATA_HOME', path.join(home, '.local', 'share'))
  return path.join(folder, 'papertape')
}

/**
 * The data directory of the current user.
 *
 * @throws {InputError} if the user has no home directory and no other is set
 */
export function userDataDirectory(): string {
  const folder = dataDirectory({ platform: process.platform, env: process.env, home: userHome() ?? '' })
  if (isAbsolute(folder)) return folder
  throw new InputError('HOME', 'this user has no home directory; set HOME or XDG_DATA_HOME to the path of a folder')
}

/** Folder name of an account: the host for people, and a hash of URL and key, which reveals nothing about the key. */
export function accountName(baseUrl: string, apiKey: string): string {
  const { host, href } = new URL(baseUrl)
  const address = href.replace(/\/+$/, '')
  const hash = createHash('sha256').update(`${address}\n${apiKey}`).digest('hex').slice(0, 16)
  return `${plainName(host)}-${hash}`
}

/**
 * Creates a new directory for a run: `runs/2026-11-22T12-34-56Z-grid`, with a counter if that exists.
 *
 * @param where  setting that names the folder
 * @param time   Unix milliseconds
 */
export function makeRunDirectory(where: Place, folder: string, strategy: string, time: number): string {
  const second = isoTime(time).replace(/\..*$/, 'Z').replaceAll(':', '-')
  const runs = join(folder, 'runs')
  try {
    makeDirectory(resolve(runs))
    for (let count = 1; count <= MAX_RUNS_OF_A_SECOND; count += 1) {
      const path = join(runs, `${second}-${plainName(strategy)}${count === 1 ? '' : `-${count}`}`)
      if (isMade(path)) return path
    }
  } catch (error) {
    throw writeFault(where, `cannot make a run directory in '${runs}'`, error)
  }
  throw new InputError(where, `'${runs}' has too many runs of ${second}`)
}

/** False if it already exists. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** A name that every file system accepts, also Windows, which allows no colon and no trailing dot. */
function plainName(text: string): string {
  const plain = text.replace(/[^\w.-]+/g, '_').replace(/^[.-]+|[.-]+$/g, '')
  return plain.slice(0, 60) || 'unnamed'
}
