/** `papertape expect`, after its arguments are parsed. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DiskError, InputError } from '../../domain/errors.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { chosenFigures, deviations } from '../../report/expectation/expected-figures.ts'
import { type Expectation, expectationOf, renewed } from '../../report/expectation/expectation.ts'
import {
  firstLines,
  junitText,
  verdictText,
  type ExpectationVerdict,
} from '../../report/expectation/expectation-verdict.ts'
import { runDifference } from '../../report/run-difference/run-difference.ts'
import { PORTFOLIO } from '../../report/run/portfolio-report.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { printable } from '../../report/terminal-text.ts'
import { readComparedRun } from '../../run/compared-run-files.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { several, single, type FlagText } from '../option-values.ts'
import { printJson } from '../shared-flags.ts'
import { shellQuoted } from '../shell-quoted.ts'
import { ExpectationFiles } from './expectation-files.ts'

interface SaveFlags {
  readonly figure: unknown
  readonly isForced: boolean
  readonly isJson: boolean
}

/** Flags that say where a run goes: an expectation writes none. */
const OUTPUT_FLAGS = ['out', 'force', 'db', 'count-trials', 'json', 'quiet', 'watch']

/** Flags that run more than one backtest. */
const OTHER_RUNS = ['vary', 'workers', 'redis', 'robustness', 'null']

/** Runs the command line after `--`, and saves it with its figures. @returns the exit code */
export async function saveExpectation(name: string, { figure, isForced, isJson }: SaveFlags): Promise<number> {
  const separator = io.args.indexOf('--')
  const command = separator === -1 ? [] : io.args.slice(separator + 1)
  if (command[0] !== 'backtest')
    throw new InputError(
      'expect save',
      `expected a backtest, such as papertape expect save ${name} -- backtest sma-cross --tape BTC_USD=btc.csv`,
    )
  const chosen = chosenFigures('--figure', several('--figure', figure as FlagText))
  const files = new ExpectationFiles(name)
  if (!isForced && existsSync(files.path))
    throw new InputError(
      files.path,
      `exists: pass --force to overwrite it, or accept a change with papertape expect ${name} --update`,
    )
  return await ran(command, ({ report, directory, code, stderr }) => {
    if (report?.failure !== null) {
      io.stderr.write(stderr)
      return code
    }
    files.write(expectationOf(command, report, chosen), readFileSync(join(directory, 'journal.jsonl')))
    if (isJson) printJson({ file: files.path, digest: report.digest })
    else io.stdout.write(`${printable(files.path)}: ${report.digest}\n`)
    return EXIT.done
  })
}

interface CheckFlags {
  readonly junit: unknown
  readonly isUpdated: boolean
  readonly isJson: boolean
}

/** @param names  undefined for all @returns the exit code */
export async function checkExpectations(
  names: readonly string[],
  { junit, isUpdated, isJson }: CheckFlags,
): Promise<number> {
  const target = single('--junit', junit as FlagText)
  if (target !== undefined && !existsSync(dirname(target)))
    throw new InputError('--junit', `the directory '${dirname(target)}' does not exist: create it first`)
  const found = names.length === 0 ? ExpectationFiles.all() : [...new Set(names)].map(existing)
  const verdicts: ExpectationVerdict[] = []
  for (const files of found) {
    const verdict = await verdictOf(files, isUpdated)
    verdicts.push(verdict)
    if (!isJson) io.stdout.write(`${verdictText(verdict)}\n`)
  }
  if (target !== undefined) writeJunit(target, junitText(verdicts))
  const bad = verdicts.filter(({ outcome }) => outcome === 'failed' || (outcome === 'differs' && !isUpdated))
  if (isJson) printJson({ expectations: verdicts })
  else io.stdout.write(`${closingText(verdicts, bad.length, isUpdated)}\n`)
  return bad.length === 0 ? EXIT.done : EXIT.failed
}

/** @throws {InputError} for a name that has no file */
function existing(name: string): ExpectationFiles {
  const files = new ExpectationFiles(name)
  if (!existsSync(files.path)) files.read()
  return files
}

/** A damaged file is a failure of its expectation only. */
async function verdictOf(files: ExpectationFiles, isUpdated: boolean): Promise<ExpectationVerdict> {
  try {
    return await checked(files, files.read(), isUpdated)
  } catch (error) {
    if (!(error instanceof InputError) || error instanceof DiskError) throw error
    return { name: files.name, outcome: 'failed', changed: [], figures: [], first: [], error: error.message }
  }
}

function closingText(verdicts: readonly ExpectationVerdict[], bad: number, isUpdated: boolean): string {
  const all = `${verdicts.length} ${verdicts.length === 1 ? 'expectation' : 'expectations'}`
  if (isUpdated) {
    const renewedCount = verdicts.filter(
      ({ outcome, changed }) => outcome === 'differs' || outcome === 'within' || changed.length > 0,
    ).length
    return `${all}: ${renewedCount} saved again${bad === 0 ? '' : `, ${bad} failed`}`
  }
  if (bad === 0) return `${all}: met`
  const isChange = verdicts.some(({ outcome }) => outcome === 'differs')
  return `${all}: ${bad} not met${isChange ? '; accept a change with papertape expect NAME --update' : ''}`
}

async function checked(
  files: ExpectationFiles,
  expectation: Expectation,
  isUpdated: boolean,
): Promise<ExpectationVerdict> {
  const { name } = files
  const nothing = { name, changed: [], figures: [], first: [], error: null } as const
  return await ran(expectation.command, ({ report, directory, stderr }) => {
    if (report?.failure !== null) {
      const error = stderr.trim().replace(/^papertape: /, '')
      const again = `papertape ${expectation.command.map(shellQuoted).join(' ')}`
      return { ...nothing, outcome: 'failed', error: error === '' ? `it ended early: run ${again}` : error }
    }
    const figures = deviations(expectation.figures, report)
    if (figures.length === 0 && report.digest === expectation.digest && report.version === expectation.version)
      return { ...nothing, outcome: 'same' }
    const saved = files.unpacked(expectation, join(directory, '..'))
    const now = readComparedRun(directory)
    // Without the saved journal only what both reports contain is compared.
    const b = saved.trace.head === undefined ? { ...now, head: undefined } : now
    const difference = runDifference({ a: saved, b }, false)
    const isSame = figures.length === 0 && report.digest === expectation.digest
    const verdict: ExpectationVerdict = {
      ...nothing,
      outcome: figures.length > 0 ? 'differs' : isSame ? 'same' : 'within',
      changed: difference.settings.filter(({ setting }) => !setting.startsWith('markets.')),
      figures,
      first: saved.trace.head === undefined ? [files.withoutJournal] : firstLines(difference),
    }
    if (isUpdated) files.write(renewed(expectation, report), readFileSync(join(directory, 'journal.jsonl')))
    return verdict
  })
}

interface Ran {
  /** Undefined if nothing was written. */
  readonly report: RunReport | undefined
  readonly directory: string
  readonly code: number
  readonly stderr: string
}

/** Runs a backtest into a temporary directory, and removes it afterwards. */
async function ran<T>(command: readonly string[], use: (run: Ran) => T): Promise<T> {
  const { strategy, ...values } = await io.valuesOf(command)
  const given = OUTPUT_FLAGS.find((flag) => values[flag] !== undefined)
  if (given !== undefined)
    throw new InputError(`--${given}`, 'is about the output of a run, and an expectation writes none: leave it out')
  const other = OTHER_RUNS.find((flag) => values[flag] !== undefined)
  if (other !== undefined)
    throw new InputError(`--${other}`, 'runs further backtests, and an expectation has one: leave it out')
  // The run makes it, and so removes it when it is interrupted.
  const folder = join(tmpdir(), `papertape-expect-${randomUUID()}`)
  try {
    const into = join(folder, 'run')
    let stderr = ''
    const job = {
      command: 'backtest',
      strategy: strategy as string | undefined,
      values: { ...values, bounds: false },
      into,
    } as const
    const code = await io.runStrategy(job, (shown) => {
      stderr = shown.stderr
    })
    if (existsSync(join(into, PORTFOLIO)))
      throw new InputError('expect', 'the config file lists several strategies, and an expectation has one: name it')
    const path = join(into, 'run.json')
    const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RunReport) : undefined
    return use({ report, directory: into, code, stderr })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeJunit(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw writeFault(path, 'cannot be written', error)
  }
}
