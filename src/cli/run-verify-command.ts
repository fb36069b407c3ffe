/**
 * What `papertape verify` does: settings from `run.json`, the same run again, its journal line by line beside the one on disk.
 */
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { escapeControls } from '../domain/escape-controls.ts'
import { runBacktest, type BacktestWatcher } from '../runtime/backtest/backtest.ts'
import { prepareBacktest, type PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { LineReader } from '../store/runs/line-reader.ts'
import { readRunFile, settingsOfRun, type RunFile } from '../run/run-file.ts'
import { consoleToStderr } from './console-to-stderr.ts'
import { EXIT } from './exit-code.ts'
import { version } from '../runtime/version.ts'

/** @returns the exit code */
export async function verifyRun(directory: string): Promise<number> {
  consoleToStderr()
  const run = readRunFile(directory)
  const prepared = await prepareBacktest(settingsOfRun(run))
  checkUnchanged(run, prepared)
  const comparison = new JournalComparison(join(directory, 'journal.jsonl'))
  const { digest } = await runBacktest(prepared, comparison)
  const difference = comparison.finish()
  if (difference === undefined && digest === run.digest) {
    process.stdout.write(`verified: ${digest}\n`)
    return EXIT.done
  }
  const told = difference ?? `the journal is the same, but its digest is ${digest} and run.json has ${run.digest}`
  const versions = run.version === version() ? '' : `\nit was run by papertape ${run.version}, and this is ${version()}`
  process.stderr.write(`${told}${versions}\n`)
  return EXIT.failed
}

/** @throws {InputError} when the strategy or a tape is not what was run */
function checkUnchanged(run: RunFile, { loaded, inspected }: PreparedBacktest): void {
  const check = (where: string, before: string | null, now: string | null): void => {
    if (now !== before)
      throw new InputError(where, `is not the same any more: expected sha256 ${before ?? 'none'}, got ${now ?? 'none'}`)
  }
  check(run.strategy.path ?? run.strategy.file, run.strategy.sha256, loaded.sha256)
  run.tapes.forEach(({ path, sha256 }, index) => {
    check(path, sha256, inspected[index]?.info.sha256 ?? 'none')
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
