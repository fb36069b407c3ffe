/** Checks before a finished run is run again: that it can be, and that its files are those it read. */
import { dirname, join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { GIVEN_LIQUIDITY } from '../runtime/backtest/liquidity-choice.ts'
import type { PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { LoadedStrategy } from '../runtime/strategies/strategy-file.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { gapFileOf } from '../store/tapes/gap-file.ts'
import type { RunFile } from './run-file.ts'

/** Refuses runs with parts that a program supplied: no file has them. */
export function checkCanRun(directory: string, { strategy, config, tapes, books, twin }: RunFile): void {
  const fault = (what: string): InputError =>
    new InputError(
      join(directory, REPORT_FILE),
      `its ${what} came from a program, and only that program can run it again`,
    )
  if (twin !== undefined)
    throw new InputError(join(directory, REPORT_FILE), 'is the twin of a session: run papertape twin again')
  if (tapes.length + books.length === 0) {
    const why =
      'its market data was live, so it cannot run again: papertape twin repeats a session, and --record records ' +
      'its market for backtests'
    throw new InputError(join(directory, REPORT_FILE), why)
  }
  if (strategy.sha256 === null) throw fault('strategy')
  if (config.liquidity === GIVEN_LIQUIDITY) throw fault('liquidity model')
}

/** @throws {InputError} if the strategy or a tape changed since the run */
export function checkUnchanged(
  run: RunFile,
  { loaded, liquidity, inspected, inspectedBooks, inspectedSeries }: PreparedBacktest,
): void {
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
  run.series.forEach(({ path, sha256 }, index) => {
    check(path, sha256, inspectedSeries[index]?.info.sha256 ?? null)
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
