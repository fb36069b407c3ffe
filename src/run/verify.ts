/**
 * Repeats a run and compares all files with those on disk. Before that, the hashes in its report reveal changed files.
 *
 * Known limit: no file records whether bounds were requested; a run without bounds is repeated without them.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { escapeControls } from '../domain/escape-controls.ts'
import type { Market } from '../domain/market.ts'
import { formerReport } from '../report/run/former-report.ts'
import { reportOfRun } from '../report/run/report-of-run.ts'
import type { RunReport, TapeReport } from '../report/run/run-report.ts'
import { runBacktest } from '../runtime/backtest/backtest.ts'
import { liquidityBounds } from '../runtime/backtest/liquidity-bounds.ts'
import { GIVEN_LIQUIDITY } from '../runtime/backtest/liquidity-choice.ts'
import { prepareBacktest, type PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { SimulatedRunListener } from '../runtime/backtest/simulated-run.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import type { LoadedStrategy } from '../runtime/strategies/strategy-file.ts'
import { version } from '../runtime/version.ts'
import { LineReader } from '../store/runs/line-reader.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { LATER_FILES, REPORT_FILE, RUN_FILES, type RunFileName } from '../store/runs/run-file-names.ts'
import { sealedText, sealFaults, strangersIn } from '../store/runs/run-seal.ts'
import { gapFileOf } from '../store/tapes/gap-file.ts'
import { factsOfBacktest } from './facts-of-backtest.ts'
import { checkThere, readRunFile, type RunFile, settingsOfRun } from './run-file.ts'
import { RunWriter } from './run-writer.ts'

interface FileDifference {
  /** Line of the file, from 1. */
  readonly line: number
  /** Description, starting with the place. */
  readonly text: string
}

/** Line of a report with the digest of the other files. */
const DIGEST_LINE = 2

/**
 * Compares the files of a run with the output of its repetition, line by line including line ends.
 *
 * Invariant: the first differing line of each file is stored; only regular files are read.
 */
class ComparedFiles {
  readonly #directory: string
  readonly #filesByName = new Map<RunFileName, ComparedFile>()

  constructor(directory: string) {
    this.#directory = directory
  }

  append(name: RunFileName, text: string): void {
    let file = this.#filesByName.get(name)
    if (file === undefined) {
      file = new ComparedFile(join(this.#directory, name), name === REPORT_FILE ? DIGEST_LINE : undefined)
      this.#filesByName.set(name, file)
    }
    file.append(text)
  }

  /**
   * Call once, after the last text.
   *
   * @returns the first difference of each file, in the order of RUN_FILES; empty for identical files
   */
  finish(report: object): readonly FileDifference[] {
    for (const name of LATER_FILES) {
      if (!isUnwritten(this.#directory, name)) continue
      this.#filesByName.get(name)?.close()
      this.#filesByName.delete(name)
    }
    const files = [...this.#filesByName]
    const differences = RUN_FILES.flatMap((name) => this.#differenceOf(name) ?? [])
    const text = sealedText(report, Object.fromEntries(files.map(([name, file]) => [name, file.hash()])))
    this.append(REPORT_FILE, text)
    const ofReport = this.#filesByName.get(REPORT_FILE)?.finish()
    if (ofReport === undefined) return differences
    // A differing hash in the report is implied by the difference of that file.
    const isReported = differences.length > 0 && ofReport.line > lineOf(text, '  "files": {')
    return isReported ? differences : [...differences, ofReport]
  }

  /** First line of a file that only the original run wrote. */
  #differenceOf(name: RunFileName): FileDifference | undefined {
    const file = this.#filesByName.get(name)
    if (file !== undefined || name === REPORT_FILE) return file?.finish()
    return new ComparedFile(join(this.#directory, name), undefined).finish()
  }

  /** Closes the files of an aborted run. */
  close(): void {
    for (const file of this.#filesByName.values()) file.close()
  }
}

/** From 1. */
const lineOf = (text: string, line: string): number => text.split('\n').indexOf(line) + 1

class ComparedFile {
  readonly #path: string
  readonly #unheeded: number | undefined
  readonly #hash = createHash('sha256')
  /** Undefined if there is no file, or after closing. */
  #reader: LineReader | undefined
  #line = 0
  #difference: FileDifference | undefined

  /** @param unheeded  number of a line to ignore */
  constructor(path: string, unheeded: number | undefined) {
    this.#path = path
    this.#unheeded = unheeded
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) this.#reader = new LineReader(path)
  }

  append(text: string): void {
    this.#hash.update(text)
    for (let from = 0; from < text.length && this.#difference === undefined;) {
      const end = text.indexOf('\n', from) + 1
      const to = end === 0 ? text.length : end
      this.#compare(text.slice(from, to))
      from = to
    }
  }

  /** Lower-case hex SHA-256 of everything appended; call once. */
  hash(): string {
    return this.#hash.digest('hex')
  }

  finish(): FileDifference | undefined {
    if (this.#difference === undefined) this.#compare(undefined)
    this.close()
    return this.#difference
  }

  close(): void {
    this.#reader?.close()
    this.#reader = undefined
  }

  #compare(now: string | undefined): void {
    this.#line += 1
    const before = this.#reader?.next()
    if (before === now || this.#line === this.#unheeded) return
    const place = `${this.#path}:${this.#line}: the repeat differs`
    this.#difference = {
      line: this.#line,
      text: `${place}\n  was ${printableLine(before)}\n  is  ${printableLine(now)}`,
    }
  }
}

/** A line without its line end; control characters and a missing line end are made visible. */
function printableLine(line: string | undefined): string {
  if (line === undefined) return '(no line)'
  return escapeControls(line.endsWith('\n') ? line.slice(0, -1) : `${line} (no line end)`)
}

/** Whether a run has no such file and its report lists none: an older papertape wrote none. */
function isUnwritten(directory: string, name: RunFileName): boolean {
  if (existsSync(join(directory, name))) return false
  const { files } = JSON.parse(readFileSync(join(directory, REPORT_FILE), 'utf8')) as { readonly files?: object }
  return files === undefined || !(name in files)
}

/** Outcome of running a run again. */
export interface Verification {
  /** `sha256:` and the lower-case hex SHA-256 of the new journal; undefined if the run cannot be repeated. */
  readonly digest: string | undefined
  /** The differences in words, each line with its place first; undefined if every file is the same to the byte. */
  readonly difference: string | undefined
  /** Names of other files in the directory, which are not compared. */
  readonly otherFiles: readonly string[]
  /** Former name of `otherFiles`. */
  readonly strangers: readonly string[]
  /** Version of papertape that wrote the run; undefined if its report can no longer be read. */
  readonly ranBy: string | undefined
}

/**
 * @param directory  as in `out` of a backtest
 * @throws {InputError} if it contains no run, or an unchanged run that cannot be repeated because its strategy or a
 * tape changed
 */
export async function verify(directory: string): Promise<Verification> {
  settleRunDirectory(directory)
  checkThere(directory)
  const strangers = strangersIn(directory)
  const others = { otherFiles: strangers, strangers }
  const faults = sealFaults(directory).map(({ name, message }) => `${join(directory, name)}: ${message}`)
  try {
    const { digest, differences, ranBy } = await repeated(directory)
    const reported = [...faults, ...differences]
    return { digest, difference: reported.length === 0 ? undefined : reported.join('\n'), ...others, ranBy }
  } catch (error) {
    if (faults.length === 0 || !(error instanceof InputError)) throw error
    // Changed files may not be runnable: then the change itself is the result.
    const reported = [...faults, `it cannot be run again: ${error.message}`]
    return { digest: undefined, difference: reported.join('\n'), ...others, ranBy: undefined }
  }
}

interface Repetition {
  readonly digest: string
  readonly differences: readonly string[]
  readonly ranBy: string
}

/**
 * The report of a repeated run with the file names and the version of the original, so that everything else must be
 * equal.
 *
 * @param again  report of the repetition, which has absolute paths
 */
function asFirstNamed(again: RunReport, { version, strategy, tapes, books, flattering }: RunFile): object {
  const ofBooks = books.map(({ path, file }) => [path, file] as const)
  const ofTapes = tapes.flatMap(({ path, file, gaps }) => [
    ...(gaps === undefined ? [] : [[gapFileOf(path), gaps.file] as const]),
    [path, file] as const,
  ])
  const renames = [...ofTapes, ...ofBooks]
  const renamed = (notices: readonly string[]): readonly string[] =>
    notices.map((notice) => renames.reduce((text, [path, name]) => text.replaceAll(path, name), notice))
  const named: RunReport = {
    ...again,
    version,
    strategy: { ...again.strategy, file: strategy.file },
    tapes: again.tapes.map((tape, index) => {
      const first = tapes[index]
      return first === undefined ? tape : tapeAsNamed(tape, first, renamed)
    }),
    ...(again.books !== undefined && {
      books: again.books.map((book, index) => {
        const first = books[index]
        return first === undefined ? book : { ...book, file: first.file, notices: renamed(book.notices) }
      }),
    }),
    notices: renamed(again.notices),
  }
  return flattering === undefined ? named : formerReport(named)
}

const tapeAsNamed = (
  tape: TapeReport,
  { file, gaps }: RunFile['tapes'][number],
  renamed: (notices: readonly string[]) => readonly string[],
): TapeReport => ({
  ...tape,
  file,
  ...(tape.gaps !== undefined && gaps !== undefined && { gaps: { ...tape.gaps, file: gaps.file } }),
  notices: renamed(tape.notices),
})

async function repeated(directory: string): Promise<Repetition> {
  const run = readRunFile(directory)
  checkCanRun(directory, run)
  const prepared = await prepareBacktest(settingsOfRun(run), { isCompiledAnew: true })
  checkUnchanged(run, prepared)
  const files = new ComparedFiles(directory)
  try {
    const comparison = new Comparison(prepared.markets, files)
    const result = await runBacktest(prepared, comparison)
    const bounds = run.liquidityBounds === null ? undefined : await liquidityBounds(result)
    const report = reportOfRun(factsOfBacktest(version(), result, bounds, (file) => resolve(file)))
    const differences = comparison.finish(asFirstNamed(report, run), result.figures)
    return { digest: result.digest, differences, ranBy: run.version }
  } finally {
    files.close()
  }
}

/** Refuses runs with parts that a program supplied: no file has them. */
function checkCanRun(directory: string, { strategy, config, tapes, books }: RunFile): void {
  const fault = (what: string): InputError =>
    new InputError(
      join(directory, REPORT_FILE),
      `its ${what} came from a program, and only that program can run it again`,
    )
  if (tapes.length + books.length === 0) {
    const why =
      'its market data was live, so it cannot run again: record it with --record and run a backtest of the recording'
    throw new InputError(join(directory, REPORT_FILE), why)
  }
  if (strategy.sha256 === null) throw fault('strategy')
  if (config.liquidity === GIVEN_LIQUIDITY) throw fault('liquidity model')
}

/** @throws {InputError} if the strategy or a tape changed since the run */
function checkUnchanged(run: RunFile, { loaded, liquidity, inspected, inspectedBooks }: PreparedBacktest): void {
  const check = (where: string, before: string | null, now: string | null): void => {
    if (now === before) return
    throw new InputError(where, `has changed: expected sha256 ${before ?? 'none'}, got ${now ?? 'none'}`)
  }
  checkImports(run.strategy, loaded)
  check(run.strategy.path ?? run.strategy.file, run.strategy.sha256, loaded.sha256)
  check(run.config.liquidity, run.config.liquiditySha256, liquidity.sha256)
  run.tapes.forEach(({ path, sha256, gaps }, index) => {
    const now = inspected[index]?.info
    check(path, sha256, now?.sha256 ?? null)
    check(gapFileOf(path), gaps?.sha256 ?? null, now?.gaps?.sha256 ?? null)
  })
  run.books.forEach(({ path, sha256 }, index) => {
    check(path, sha256, inspectedBooks[index]?.info.sha256 ?? null)
  })
}

/** Names the file of a strategy that changed. @throws {InputError} if an imported file or package changed */
function checkImports(before: RunFile['strategy'], { files }: LoadedStrategy): void {
  const folder = dirname(before.path ?? before.file)
  for (const { file, sha256 } of before.imports) {
    const now = files?.imports.find((other) => other.file === file)?.sha256 ?? 'none'
    if (now === sha256) continue
    const where = join(folder, file)
    throw new InputError(where, `has changed: expected sha256 ${sha256}, got ${now}`)
  }
  const gone = before.packages.find((name) => files?.packages.includes(name) !== true)
  if (gone === undefined) return
  const now = files?.packages.join(', ') ?? ''
  throw new InputError(
    before.path ?? before.file,
    `imported ${gone}, and now imports ${now === '' ? 'no package' : now}`,
  )
}

/** Compares the output of the second run with the files of the first. */
class Comparison extends RunWriter implements SimulatedRunListener {
  readonly #files: ComparedFiles

  constructor(markets: readonly Market[], files: ComparedFiles) {
    super(markets, (name, text) => {
      files.append(name, text)
    })
    this.#files = files
  }

  onLog(): void {
    // The original run already logged this.
  }

  /** @returns the first difference of each file that differs, in words */
  finish(report: object, figures: AccountFigures): readonly string[] {
    this.writeSeries(figures)
    return this.#files.finish(report).map(({ text }) => text)
  }
}
