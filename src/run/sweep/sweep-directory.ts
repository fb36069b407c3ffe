/**
 * The directory of a sweep: `points.jsonl` while it runs, `sweep.csv`, `sweep.json` and `report.html` at the end. The
 * same sweep resumes where it stopped; a different one is refused with the first difference.
 *
 * Invariant: `sweep.json` identifies the sweep from the start, and is replaced atomically.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { contentHash, identityHash, type SweepIdentity, type TapeIdentity } from '../../sweep/point-key.ts'
import { FolderLock } from '../../store/locks/folder-lock.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { PointsFile } from './points-file.ts'
import { isFileFault, writeFault } from '../../domain/write-fault.ts'
import { writeWhole } from '../../store/whole-file.ts'

const [POINTS, CSV, REPORT, PAGE, WALK] = [
  'points.jsonl',
  'sweep.csv',
  'sweep.json',
  'report.html',
  'walk-forward.csv',
] as const
const LOCK = '.lock'
const BUSY_MS = 200

const PLACE = setting('out')

/** The part of `sweep.json` that is read again. */
interface SweepHead {
  readonly identity: SweepIdentity
}

export interface SweepFiles {
  readonly csv: string
  /** Text of `walk-forward.csv`; undefined without a walk-forward. */
  readonly walkForward: string | undefined
  readonly report: SweepHead
}

export class SweepDirectory {
  readonly #path: string
  readonly #lock: FolderLock
  readonly #points: PointsFile

  private constructor(path: string, lock: FolderLock, points: PointsFile) {
    this.#path = path
    this.#lock = lock
    this.#points = points
  }

  /** Checked first: reading a tape may take long. @throws {InputError} if no sweep can be written there */
  static check(path: string): void {
    const names = namesIn(path)
    if (names.length === 0 || names.includes(REPORT)) return
    const other = names.find((name) => name !== LOCK && !name.endsWith('.new'))
    if (other === undefined) return
    throw new InputError(PLACE, `'${path}' contains '${other}' and no sweep; use another directory`)
  }

  /**
   * @param head      content of `sweep.json` while the sweep runs
   * @param isForced  true to overwrite an existing sweep
   * @throws {InputError} if another sweep exists or is running there, or if nothing can be written
   */
  static open(path: string, head: SweepHead, isForced: boolean): SweepDirectory {
    const target = resolve(path)
    const make = (): void => {
      mkdirSync(join(target, LOCK), { recursive: true, mode: 0o700 })
    }
    const lock = attempt(path, () => {
      makeDirectory(target)
      return FolderLock.take(join(target, LOCK), { make, waitMs: BUSY_MS })
    })
    if (!(lock instanceof FolderLock)) {
      const who = lock.holder === undefined ? '' : ` (process ${lock.holder.pid})`
      const mend = lock.isSeen ? '' : `; if it has ended, delete '${join(path, LOCK)}'`
      throw new InputError(PLACE, `another sweep is writing to '${path}'${who}${mend}`)
    }
    try {
      this.check(path)
      if (isForced) attempt(path, () => removeFiles(target))
      checkSame(path, head)
      writeIn(path, REPORT, jsonText(head))
      return new SweepDirectory(path, lock, new PointsFile(join(path, POINTS), identityHash(head.identity)))
    } catch (error) {
      lock.release()
      throw error
    }
  }

  /** Earlier outcomes by key of their point, without those that failed because of the machine. */
  get known(): ReadonlyMap<string, PointOutcome> {
    return this.#points.known
  }

  append(outcome: PointOutcome): void {
    this.#points.append(outcome)
  }

  /** @throws {InputError} if a file cannot be written */
  finish({ csv, walkForward, report }: SweepFiles): void {
    writeIn(this.#path, CSV, csv)
    if (walkForward !== undefined) writeIn(this.#path, WALK, walkForward)
    // Left by an earlier sweep with a walk-forward.
    else rmSync(join(this.#path, WALK), { force: true })
    writeIn(this.#path, REPORT, jsonText(report))
  }

  /** Call after `finish`. @throws {InputError} if it cannot be written */
  writePage(page: string): void {
    writeIn(this.#path, PAGE, page)
  }

  close(): void {
    this.#points.close()
    this.#lock.release()
  }
}

function removeFiles(path: string): void {
  for (const name of [POINTS, CSV, REPORT, PAGE, WALK]) rmSync(join(path, name), { force: true })
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    if (isMissing(error)) return []
    if (isFileFault(error) && error.code === 'ENOTDIR') {
      throw new InputError(PLACE, `'${path}' is not a directory: choose another path`, { cause: error })
    }
    throw writeFault(PLACE, `'${path}' cannot be read as a directory`, error)
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * The first difference between two sweeps, in words.
 *
 * @returns the difference as seen from here, such as `another source of the strategy`
 */
function identityDifference(there: SweepIdentity, here: SweepIdentity): string {
  if (there.strategy.name !== here.strategy.name) return `another strategy, '${there.strategy.name}'`
  if (there.strategy.sha256 !== here.strategy.sha256)
    return `another source of strategy '${here.strategy.name}' (SHA-256 ${short(there.strategy.sha256)}, now ${short(here.strategy.sha256)})`
  return (
    tapeDifference(there.tapes, here.tapes) ??
    bookDifference(there, here) ??
    seriesDifference(there, here) ??
    settingDifference(there, here)
  )
}

function tapeDifference(there: readonly TapeIdentity[], here: readonly TapeIdentity[]): string | undefined {
  if (there.length !== here.length)
    return `${there.length} ${there.length === 1 ? 'tape' : 'tapes'}, not ${here.length}`
  for (const [index, tape] of here.entries()) {
    const other = there[index]
    const name = nameOfDifference({ ...other }, { ...tape })
    if (other !== undefined && name !== undefined) {
      if (name === 'symbol') return `a tape of ${other.symbol}, not of ${tape.symbol}`
      if (name === 'sha256')
        return `another tape of ${tape.symbol} (SHA-256 ${short(other.sha256)}, now ${short(tape.sha256)})`
      return `a tape of ${tape.symbol} with another ${name} (${reported({ ...other }, name)}, now ${reported({ ...tape }, name)})`
    }
  }
  return undefined
}

function settingDifference(there: SweepIdentity, here: SweepIdentity): string {
  const name = nameOfDifference(there.settings, here.settings)
  if (name === undefined) return `another version of papertape, ${there.version}`
  return `another ${name} (${reported(there.settings, name)}, now ${reported(here.settings, name)})`
}

const bookDifference = (
  { books: there = [] }: SweepIdentity,
  { books: here = [] }: SweepIdentity,
): string | undefined => (contentHash(there) === contentHash(here) ? undefined : 'other recorded books')

function seriesDifference(
  { series: there = {} }: SweepIdentity,
  { series: here = {} }: SweepIdentity,
): string | undefined {
  const name = nameOfDifference(there, here)
  if (name === undefined) return undefined
  return `another series '${name}' (SHA-256 ${short(there[name] ?? null)}, now ${short(here[name] ?? null)})`
}

type Fields = Readonly<Record<string, unknown>>

const nameOfDifference = (there: Fields, here: Fields): string | undefined =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])].find(
    (name) => reported(there, name) !== reported(here, name),
  )

const reported = (fields: Fields, name: string): string => JSON.stringify(fields[name] ?? null)

const short = (sha256: string | null): string => sha256?.slice(0, 8) ?? 'none'

/** @throws {InputError} naming the difference from the existing sweep, or if that cannot be read */
function checkSame(path: string, { identity }: SweepHead): void {
  const report = join(path, REPORT)
  let text: string
  try {
    text = readFileSync(report, 'utf8')
  } catch (error) {
    if (isMissing(error)) return
    throw new InputError(PLACE, `'${report}' cannot be read (${thrownText(error)})`, { cause: error })
  }
  const there = identityIn(report, text)
  if (identityHash(there) === identityHash(identity)) return
  throw new InputError(
    PLACE,
    worded`'${path}' has a sweep of ${identityDifference(there, identity)}; use another directory, or overwrite it with ${setting('force')}`,
  )
}

function identityIn(report: string, text: string): SweepIdentity {
  try {
    const json = JSON.parse(text) as Partial<SweepHead>
    if (typeof json.identity === 'object') return json.identity
  } catch {
    // Reported below.
  }
  throw new InputError(
    PLACE,
    worded`'${report}' is not from a sweep; use another directory, or overwrite it with ${setting('force')}`,
  )
}

/** Atomic: readers never see a partial file. */
function writeIn(path: string, name: string, text: string): void {
  attempt(path, () => {
    writeWhole(join(path, name), text)
  })
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof InputError) throw error
    throw writeFault(PLACE, `cannot write to '${path}'`, error)
  }
}
