/**
 * The place of a run: a directory that is not there yet, an empty one, or one that holds nothing but an earlier
 * backtest, which the new one replaces whole.
 *
 * Anything else is the user's, or a session that nobody can run again, and is refused by name.
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
/** In which a page of ours has its mark. */
const HEAD_BYTES = 512

/**
 * @param where   the setting that names the directory
 * @returns false when nothing is there
 * @throws {InputError} when it is no directory, or one that cannot be replaced
 */
export function checkDirectory(where: Place, path: string): boolean {
  // Without a slash at its end, behind which a link would be followed.
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
 * @param replaces  true to let a run replace an earlier backtest
 * @throws {InputError} when it holds anything but an earlier backtest that may be replaced, or cannot be written
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

/** A place below a file is no place. */
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

/** Why it may not be replaced; undefined for a backtest, which can be run again. */
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
  // What a run need not have may be somebody's own.
  const written: object = 'files' in json && typeof json.files === 'object' && json.files !== null ? json.files : {}
  const own = names.find((name) => isOptionalFile(name) && !(name in written))
  return own === undefined ? undefined : `has '${own}', which the run did not write`
}

/** A page of somebody else's is theirs. */
function pageFault(path: string, names: readonly string[]): string | undefined {
  if (!names.includes(PAGE_FILE)) return undefined
  return isPage(join(path, PAGE_FILE)) ? undefined : `has '${PAGE_FILE}', which papertape did not write`
}

/** True for a page that papertape wrote, whatever became of the rest of it. @throws an error of the file system */
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
 * A directory that no rename can reach; one that is bound from the same file system is known by the list of the kernel
 * alone.
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
