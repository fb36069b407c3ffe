/** `run.json` as input of a repetition: its settings, and the expected results. */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import type { BacktestSettings } from '../runtime/settings/backtest-settings.ts'
import { SESSION_STATES } from '../runtime/session-state.ts'
import { rebalanceSchema } from '../runtime/settings/rebalance-terms.ts'
import { runTermsSchema, termsOf } from '../runtime/settings/run-terms.ts'
import { bookReadingSchema, readingSchema } from '../runtime/settings/tape-reading.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'

const walletRisk = z.object({
  maxOrder: z.string(),
  maxPosition: z.string(),
  collarPercent: z.string(),
  ordersPerMinute: z.number(),
  dayLoss: z.string(),
  drawdownPercent: z.string(),
  atLimit: z.literal('flatten'),
})

const rebalance = rebalanceSchema.required({ at: true }).extend({ shares: z.array(z.number()).optional() })

const strategyFields = z.object({
  name: z.string().default(''),
  sha256: z.string().nullable(),
  file: z.string(),
  path: z.string().nullable(),
  imports: z.array(z.object({ file: z.string(), sha256: z.string() })).default([]),
  packages: z.array(z.string()).default([]),
})

const decimalText = z.string()
const side = z.enum(['BUY', 'SELL'])

const forkFields = z.object({
  of: z.string(),
  at: z.number(),
  params: z.record(z.string(), z.unknown()).optional(),
  strategy: strategyFields.optional(),
  isRestarted: z.literal(true).optional(),
  without: z.object({ orderId: z.string(), ref: z.number() }).optional(),
  added: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('market'), symbol: z.string(), side, qty: decimalText }),
      z.object({ type: z.literal('limit'), symbol: z.string(), side, qty: decimalText, price: decimalText }),
    ])
    .optional(),
  orderLatencyMs: z.number().optional(),
  responseLatencyMs: z.number().optional(),
  terms: z
    .object({
      makerFeeBps: z.string(),
      takerFeeBps: z.string(),
      maxOrder: z.string().nullable(),
      maxPosition: z.string().nullable(),
      collarPercent: z.string().nullable(),
      ordersPerMinute: z.number().nullable(),
      dayLoss: z.string().nullable(),
      drawdownPercent: z.string().nullable(),
      atLimit: z.literal('flatten').nullable(),
      liquidity: z.string(),
      liquiditySha256: z.string().nullable(),
    })
    .partial()
    .optional(),
  isSilent: z.literal(true).optional(),
})

/** The part of `run.json` that a second run needs. */
const runFile = z.object({
  version: z.string(),
  strategy: strategyFields,
  params: z.record(z.string(), z.unknown()),
  tapes: z.array(
    z.object({
      file: z.string(),
      path: z.string(),
      symbol: z.string(),
      sha256: z.string(),
      gaps: z.object({ file: z.string(), sha256: z.string() }).optional(),
      reading: readingSchema,
    }),
  ),
  books: z
    .array(
      z.object({
        file: z.string(),
        path: z.string(),
        symbol: z.string(),
        sha256: z.string(),
        reading: bookReadingSchema,
      }),
    )
    .default([]),
  series: z
    .array(
      z.object({
        name: z.string(),
        file: z.string(),
        path: z.string(),
        sha256: z.string(),
        columns: z.array(z.string()).optional(),
      }),
    )
    .default([]),
  config: z
    .object({
      credit: z.record(z.string(), z.string()),
      liquiditySha256: z.string().nullable(),
      liquidity: z.string(),
      walletRisk: walletRisk.partial().optional(),
      rebalance: rebalance.optional(),
    })
    .and(runTermsSchema),
  digest: z.string(),
  failure: z.object({ time: z.number() }).nullable().default(null),
  /** Only for several strategies on one wallet. */
  strategies: z.array(z.object({ name: z.string() })).optional(),
  reserve: z.record(z.string(), z.object({ available: z.string() })).optional(),
  /** Only for one of them. */
  partOf: z.string().optional(),
  liquidityBounds: z.unknown(),
  /** Only if requested. */
  nullTest: z.object({ tapes: z.int() }).optional(),
  robustness: z.object({}).optional(),
  /** Only for a fork. */
  fork: forkFields.optional(),
  /** Only for a session, on a service or on paper. */
  live: z.object({ startedAt: z.number() }).optional(),
  paper: z.object({ startedAt: z.number() }).optional(),
  quoteAsset: z.string().default(''),
  states: z.array(z.object({ time: z.number(), state: z.enum(SESSION_STATES), why: z.string() })).default([]),
  paramChanges: z.array(z.object({ time: z.number(), changed: z.record(z.string(), z.unknown()) })).default([]),
  /** Only for the twin of a session. */
  twin: z.object({ of: z.string() }).optional(),
  /** Only in runs from before names in `run.json` changed. */
  flattering: z.unknown().optional(),
})

export type RunFile = z.output<typeof runFile>

const NO_REPORT =
  'has a journal and no report: the session was killed or is still running; ' +
  'papertape why, diff and replay read its journal'

/** @throws {InputError} when there is no report in it, or something that is no file */
export function checkThere(directory: string): void {
  const path = join(directory, REPORT_FILE)
  const isDirectory = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false
  const stats = isDirectory ? lstatSync(path, { throwIfNoEntry: false }) : undefined
  if (stats === undefined && existsSync(join(directory, 'journal.jsonl'))) throw new InputError(directory, NO_REPORT)
  if (stats === undefined) throw new InputError(path, 'no such file; expected a directory written by backtest --out')
  if (!stats.isFile()) throw new InputError(path, 'is not a file; expected a directory written by backtest --out')
}

/**
 * @param directory  as written by `--out`, with a report
 * @throws {InputError} naming the file and the invalid field
 */
export function readRunFile(directory: string): RunFile {
  const path = join(directory, REPORT_FILE)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InputError(path, 'is not JSON', { cause: error })
  }
  return checkedRun(path, json)
}

/** @param path  of the file, for errors. @throws {InputError} naming the file and the invalid field */
export function checkedRun(path: string, json: unknown): RunFile {
  const parsed = runFile.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = `${path} ${issue?.path.join('.') ?? ''}`.trim()
  throw new InputError(place, `${issue?.message ?? 'is not a run'}: changed, or of another version of papertape`)
}

export function settingsOfRun({ strategy, params, tapes, books, series, config }: RunFile): BacktestSettings {
  return {
    ...termsOf(config),
    credit: config.credit,
    strategy: strategy.path ?? strategy.file,
    paramTexts: {},
    params,
    tapes: tapes.map(({ path, symbol, reading }) => ({ file: path, symbol, ...reading })),
    // The book and the quotes of one file are two recordings.
    books: [
      ...new Map(
        books.map(({ path, symbol, reading }) => [`${symbol} ${path}`, { file: path, symbol, ...reading }]),
      ).values(),
    ],
    ...(series.length > 0 && { series: series.map(({ name, path }) => ({ name, file: path })) }),
  }
}
