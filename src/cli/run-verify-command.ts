/**
 * What `papertape verify` does: settings from `run.json`, the same run again, its journal line by line beside the one on disk.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import { escapeControls } from '../domain/escape-controls.ts'
import { runBacktest, type BacktestWatcher } from '../runtime/backtest/backtest.ts'
import type { BacktestSettings } from '../runtime/backtest/backtest-settings.ts'
import { prepareBacktest, type PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import { LineReader } from '../store/runs/line-reader.ts'
import { clips, latencyMs, precision, rateLimits, seed, staleMs, timeMs } from './backtest/backtest-config.ts'
import { consoleToStderr } from './console-to-stderr.ts'
import { EXIT } from './exit-code.ts'
import { version } from './version.ts'

/** The part of `run.json` that a second run needs. */
const runFile = z.object({
  version: z.string(),
  strategy: z.object({ file: z.string(), path: z.string().nullable(), sha256: z.string() }),
  params: z.record(z.string(), z.unknown()),
  tapes: z.array(
    z.object({
      path: z.string(),
      symbol: z.string(),
      sha256: z.string(),
      reading: z.strictObject({
        columns: z.string().exactOptional(),
        candleTime: z.enum(['open', 'close']).exactOptional(),
        candleInterval: z.int().exactOptional(),
        pricePrecision: precision.exactOptional(),
        qtyPrecision: precision.exactOptional(),
      }),
    }),
  ),
  config: z.object({
    credit: z.record(z.string(), z.string()),
    makerFeeBps: z.string(),
    takerFeeBps: z.string(),
    liquidity: z.string(),
    liquiditySha256: z.string().nullable(),
    queueClips: clips,
    depthClips: clips,
    spread: z.string().nullable(),
    staleAfterMs: staleMs.nullable(),
    orderLatencyMs: latencyMs,
    responseLatencyMs: latencyMs,
    feedLatencyMs: latencyMs,
    onLimit: z.enum(['refuse', 'wait']),
    limits: rateLimits.nullable(),
    from: timeMs.nullable(),
    to: timeMs.nullable(),
    seed,
  }),
  digest: z.string(),
})

type RunFile = z.output<typeof runFile>

/** @returns the exit code */
export async function verifyRun(directory: string): Promise<number> {
  consoleToStderr()
  const run = readRunFile(join(directory, 'run.json'))
  const prepared = await prepareBacktest(settingsOf(run))
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

function readRunFile(path: string): RunFile {
  if (!existsSync(path)) throw new InputError(path, 'no such file; expected a directory written by backtest --out')
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InputError(path, 'is not JSON', { cause: error })
  }
  const parsed = runFile.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new InputError(`${path} ${issue?.path.join('.') ?? ''}`.trim(), issue?.message ?? 'is not a run')
}

function settingsOf({ strategy, params, tapes, config }: RunFile): BacktestSettings {
  return {
    ...config,
    strategy: strategy.path ?? strategy.file,
    paramTexts: {},
    params,
    tapes: tapes.map(({ path, symbol, reading }) => ({ file: path, symbol, ...reading })),
  }
}

/** @throws {InputError} when the strategy or a tape is not what was run */
function checkUnchanged(run: RunFile, { loaded, inspected }: PreparedBacktest): void {
  const check = (where: string, before: string, now: string): void => {
    if (now !== before) throw new InputError(where, `is not the same any more: expected sha256 ${before}, got ${now}`)
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
