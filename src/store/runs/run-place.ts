/**
 * The place of a run: a new or empty directory, or one with only an earlier backtest, which is replaced as a whole.
 *
 * Anything else belongs to the user, or is a session that cannot be repeated, and is refused by name.
 */
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { InputError, type Place } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { isOptionalFile, isPageName, isRunFileName, PAGE_FILE, PAGE_MARK, REPORT_FILE } from './run-file-names.ts'
import { writeFault } from '../../domain/write-fault.ts'

const MOUNTS = '/proc/self/mountinfo'
/** A page of papertape has its mark within this many bytes. */
const HEAD_BYTES = 512

/**
 * @param where   setting that names the directory
 * @returns false if it does not exist
 * @throws {InputError} if it is not a directory, or one that cannot be replaced
 */
export function checkDirectory(where: Place, path: string): boolean {
  // Without trailing slash, which would follow a link.
  const target = resolve(path)
  const stats = statusOf(where, path, target)
  if (stats === undefined) return false
  if (stats.isSymbolicLink()) throw new InputError(where, `'${path}' is a link: give the directory itself`)
  if (!stats.isDirectory()) throw new InputError(where, `'${path}' is not a directory`)
  const real = realpathSync(target)
  if (`${realpathSync(process.cwd())}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)) {
    throw new InputError(
      where,
      `'${path}' contains the working directory, and a run replaces its whole directory: use a directory below it`,
    )
  }
  if (isMountPoint(real)) {
    throw new InputError(where, `'${path}' is a mount point, which a run cannot replace: use a directory below it`)
  }
  return true
}

/**
 * @param replaces  true to allow replacing an earlier backtest
 * @throws {InputError} if it contains anything but a replaceable backtest, or is not writable
 */
export function checkContent(where: Place, path: string, replaces: boolean): void {
  const names = access(where, path)
  for (const name of names) {
    const isOfRun =
      (isRunFileName(name) || isPageName(name)) &&
      lstatSync(join(path, name), { throwIfNoEntry: false })?.isFile() !== false
    if (!isOfRun)
      throw new InputError(where, `'${path}' has '${name}', which is not a file of a run: use another directory`)
  }
  if (names.length === 0) return
  const why = names.includes(REPORT_FILE)
    ? (notReplaced(join(path, REPORT_FILE), names) ?? pageFault(path, names))
    : `has '${names.join("', '")}' but no '${REPORT_FILE}', as if a session were running or was killed`
  if (why !== undefined) throw new InputError(where, `'${path}' ${why}: use another directory`)
  if (!replaces) {
    throw new InputError(
      where,
      worded`'${path}' already has a run: use another directory, or overwrite it with ${setting('force')}`,
    )
  }
}

/** Undefined if the path does not exist. @throws {InputError} for a path below a file */
function statusOf(where: Place, path: string, target: string): Stats | undefined {
  try {
    return lstatSync(target, { throwIfNoEntry: false })
  } catch (error) {
    throw writeFault(where, `cannot write to '${path}'`, error)
  }
}

function access(where: Place, path: string): readonly string[] {
  try {
    accessSync(path, constants.W_OK)
    return readdirSync(path).sort()
  } catch (error) {
    throw writeFault(where, `cannot write to '${path}'`, error)
  }
}

/** Reason not to replace the run; undefined for a backtest, which can be repeated. */
function notReplaced(path: string, names: readonly string[]): string | undefined {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return `has a '${REPORT_FILE}' that is not JSON`
  }
  if (typeof json !== 'object' || json === null || !('digest' in json))
    return `has a '${REPORT_FILE}' of something else`
  const isSession = ('live' in json && json.live !== undefined) || ('paper' in json && json.paper !== undefined)
  if (isSession) return 'has a session, which cannot be run again'
  // An optional file that the run did not write may be the user's own.
  const written: object = 'files' in json && typeof json.files === 'object' && json.files !== null ? json.files : {}
  const own = names.find((name) => isOptionalFile(name) && !(name in written))
  return own === undefined ? undefined : `has '${own}', which the run did not write`
}

/** A page that papertape did not write is not replaced. */
function pageFault(path: string, names: readonly string[]): string | undefined {
  if (!names.includes(PAGE_FILE)) return undefined
  return isPage(join(path, PAGE_FILE)) ? undefined : `has '${PAGE_FILE}', which papertape did not write`
}

/** True for a page written by papertape, even if it is damaged. @throws an error of the file system */
export function isPage(path: string): boolean {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    return head.toString('latin1', 0, readSync(descriptor, head)).includes(PAGE_MARK)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * A directory that cannot be renamed. A bind mount of the same file system appears only in the mount table of the
 * kernel.
 */
function isMountPoint(real: string): boolean {
  if (real === dirname(real) || statSync(real).dev !== statSync(dirname(real)).dev) return true
  try {
    return readFileSync(MOUNTS, 'utf8')
      .split('\n')
      .some(
        (line) =>
          line
            .split(' ')[4]
            ?.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))) === real,
      )
  } catch {
    return false
  }
}
