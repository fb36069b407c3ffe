/** The files of a repeated run compared with those on disk, line by line. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeControls } from '../domain/escape-controls.ts'
import type { Market } from '../domain/market.ts'
import type { SimulatedRunListener } from '../runtime/backtest/simulated-run.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { LineReader } from '../store/runs/line-reader.ts'
import { LATER_FILES, REPORT_FILE, RUN_FILES, type RunFileName } from '../store/runs/run-file-names.ts'
import { sealedText } from '../store/runs/run-seal.ts'
import { MAX_PLOT_ROWS } from './plot-files.ts'
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
    const listed = listedIn(this.#directory)
    const files = [...this.#filesByName].sort(([a], [b]) => listed.indexOf(a) - listed.indexOf(b))
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
      text: `${place}\n  was ${printableLine(before, now)}\n  is  ${printableLine(now, before)}`,
    }
  }
}

/** Characters of a long line on either side of its first difference. */
const AROUND = 100

/**
 * A line without its line end; control characters and a missing line end are made visible. A long line is cut around
 * its first difference from the other.
 */
function printableLine(line: string | undefined, other = ''): string {
  if (line === undefined) return '(no line)'
  const whole = line.endsWith('\n') ? line.slice(0, -1) : `${line} (no line end)`
  if (whole.length <= 3 * AROUND) return escapeControls(whole)
  let at = 0
  while (at < whole.length && line[at] === other[at]) at += 1
  const [from, to] = [Math.max(0, at - AROUND), at + AROUND]
  return `${from > 0 ? '...' : ''}${escapeControls(whole.slice(from, to))}${to < whole.length ? '...' : ''}`
}

/** Whether a run has no such file and its report lists none: an older papertape wrote none. */
function isUnwritten(directory: string, name: RunFileName): boolean {
  return !existsSync(join(directory, name)) && !listedIn(directory).includes(name)
}

/** The other files of a run, in the order of its report: an older papertape began some of them earlier. */
function listedIn(directory: string): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(directory, REPORT_FILE), 'utf8')) as { readonly files?: object }
  return Object.keys(files ?? {})
}

/** Compares the output of the second run with the files of the first. */
export class Comparison extends RunWriter implements SimulatedRunListener {
  readonly #files: ComparedFiles

  constructor(markets: readonly Market[], directory: string) {
    const files = new ComparedFiles(directory)
    const append = (name: RunFileName, text: string): void => {
      files.append(name, text)
    }
    // An older papertape wrote all plotted values of a long run to plots.csv.
    super(markets, append, existsSync(join(directory, 'plots.csv')) ? Number.MAX_SAFE_INTEGER : MAX_PLOT_ROWS)
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

  /** Closes the files, also of an aborted run. */
  close(): void {
    this.#files.close()
  }
}
