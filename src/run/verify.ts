/**
 * A run again, its journal held against the one on disk.
 */
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { escapeControls } from '../domain/escape-controls.ts'
import { runBacktest } from '../runtime/backtest/backtest.ts'
import type { BacktestWatcher } from '../runtime/backtest/simulated-run.ts'
import { GIVEN_LIQUIDITY } from '../runtime/backtest/liquidity-choice.ts'
import { prepareBacktest, type PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { LineReader } from '../store/runs/line-reader.ts'
import { gapFileOf } from '../store/tapes/gap-file.ts'
import { readRunFile, settingsOfRun, type RunFile } from './run-file.ts'

/** Outcome of a run that was run again. */
export interface Verification {
  /** `sha256:` and the lower-case hex SHA-256 of the new journal. */
  readonly digest: string
  /** In words; undefined when it is the same run to the byte. */
  readonly difference: string | undefined
  /** Version of papertape that the run was run by. */
  readonly ranBy: string
}

/**
 * @param directory  as `out` of a backtest was
 * @throws {InputError} when it is no run, or when its strategy or a tape is not what was run
 */
export async function verify(directory: string): Promise<Verification> {
  const run = readRunFile(directory)
  checkCanRun(directory, run)
  const prepared = await prepareBacktest(settingsOfRun(run))
  checkUnchanged(run, prepared)
  const comparison = new JournalComparison(join(directory, 'journal.jsonl'))
  const { digest } = await runBacktest(prepared, comparison)
  const difference = comparison.finish()
  const isOther = difference === undefined && digest !== run.digest
  const told = isOther
    ? `the journal is the same, but its digest is ${digest} and run.json has ${run.digest}`
    : difference
  return { digest, difference: told, ranBy: run.version }
}

/** What a program gave is in no file. */
function checkCanRun(directory: string, { strategy, config, tapes }: RunFile): void {
  const fault = (what: string): InputError =>
    new InputError(join(directory, 'run.json'), `its ${what} was given by a program, which alone can run it again`)
  if (tapes.length === 0) {
    const why = 'its market data was live and is on no tape: record it, and run a backtest of the recording'
    throw new InputError(join(directory, 'run.json'), why)
  }
  if (strategy.sha256 === null) throw fault('strategy')
  if (config.liquidity === GIVEN_LIQUIDITY) throw fault('liquidity model')
}

/** @throws {InputError} when the strategy or a tape is not what was run */
function checkUnchanged(run: RunFile, { loaded, inspected }: PreparedBacktest): void {
  const check = (where: string, before: string | null, now: string | null): void => {
    if (now === before) return
    throw new InputError(where, `is not the same any more: expected sha256 ${before ?? 'none'}, got ${now ?? 'none'}`)
  }
  check(run.strategy.path ?? run.strategy.file, run.strategy.sha256, loaded.sha256)
  run.tapes.forEach(({ path, sha256, gaps }, index) => {
    const now = inspected[index]?.info
    check(path, sha256, now?.sha256 ?? null)
    check(gapFileOf(path), gaps?.sha256 ?? null, now?.gaps?.sha256 ?? null)
  })
}

/** Holds each line of the second run against the line on disk, its line end included; remembers the first that differs. */
class JournalComparison implements BacktestWatcher {
  readonly #path: string
  readonly #reader: LineReader
  #line = 0
  #difference: string | undefined

  constructor(path: string) {
    this.#path = path
    this.#reader = new LineReader(path)
  }

  onLine(line: string): void {
    this.#compare(`${line}\n`)
  }

  onOrder(): void {
    // Only the journal is compared.
  }

  onFill(): void {
    // Only the journal is compared.
  }

  onProgress(): void {
    // A check is quiet.
  }

  onLog(): void {
    // The strategy said it before.
  }

  /** @returns the first difference in words; undefined when there is none */
  finish(): string | undefined {
    this.#compare(undefined)
    this.#reader.close()
    return this.#difference
  }

  #compare(now: string | undefined): void {
    if (this.#difference !== undefined) return
    this.#line += 1
    const before = this.#reader.next()
    if (before === now) return
    this.#difference = `${this.#path}:${this.#line}: the journals differ\n  was ${printableLine(before)}\n  is  ${printableLine(now)}`
  }
}

/** A line without its line end; a missing line end, and other characters that cannot be seen, are made visible. */
function printableLine(line: string | undefined): string {
  if (line === undefined) return '(no line)'
  return escapeControls(line.endsWith('\n') ? line.slice(0, -1) : `${line} (no line end)`)
}
