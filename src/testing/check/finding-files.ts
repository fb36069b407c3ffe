/** Findings of a check, a folder each: the tapes as CSV, and `check.json` with everything else, written last. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { InputError, type Place } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { GAP_HEADER, gapFileOf, gapLine, readGapFile } from '../../store/tapes/gap-file.ts'
import { version } from '../../runtime/version.ts'
import { csvOf } from '../tapes/csv-of.ts'
import type { TapeRows } from '../tapes/tape-rows.ts'
import type { CheckFinding } from './check-strategy.ts'
import { FAULT_KIND_NAMES, type FaultKind } from './fault-kinds.ts'
import type { Scenario, ScenarioMarket } from './scenario.ts'
import { writeFault } from '../../domain/write-fault.ts'

const CHECK_FILE = 'check.json'

/** A stored finding, to be replayed. */
export interface SavedFinding {
  readonly kind: FaultKind
  readonly scenario: Scenario
  /** Parameters of the strategy, as JSON and as texts. */
  readonly params: Readonly<Record<string, unknown>>
  readonly paramTexts: Readonly<Record<string, string>>
}

const request = z.int().min(1)
const ms = z.int().min(0)
const decimals = z.record(z.string(), z.string())
const digits = z.int().min(0).max(12)

const faultSchema = z.union([
  z.object({ type: z.literal('refuse'), request, code: z.string().optional() }),
  z.object({ type: z.literal('late'), request, lateMs: ms }),
  z.object({
    type: z.literal('lost'),
    request,
    isExecuted: z.boolean(),
    unknownAfterMs: ms.optional(),
    settledAfterMs: ms.optional(),
  }),
  z.object({ type: z.literal('silence'), request, unknownAfterMs: ms.optional() }),
])

const checkSchema = z.object({
  check: z.literal(1),
  kind: z.enum(FAULT_KIND_NAMES as [FaultKind, ...FaultKind[]]),
  params: z.record(z.string(), z.unknown()),
  paramTexts: decimals,
  scenario: z.object({
    balances: decimals,
    latency: z.object({ orderMs: ms, responseMs: ms, feedMs: ms }),
    fees: z.object({ makerBps: z.string(), takerBps: z.string() }),
    liquidity: z.string(),
    seed: z.int(),
    hasLimits: z.boolean(),
    faults: z.array(faultSchema),
    restarts: z.array(ms),
    markets: z
      .array(
        z.object({
          symbol: z.string(),
          file: z.string().regex(/^[\w.-]+$/),
          candleMs: z.int().min(1).nullable(),
          pricePrecision: digits,
          qtyPrecision: digits,
        }),
      )
      .min(1),
  }),
})

/**
 * Writes a finding into a folder, replacing an earlier one.
 *
 * @param where  the setting that names it
 * @throws {InputError} for a folder with other contents, or one that cannot be written
 */
export function writeFinding(
  where: Place,
  directory: string,
  { kind, text, time, scenario, run }: CheckFinding,
  given: Pick<SavedFinding, 'params' | 'paramTexts'> & { readonly strategy: string; readonly seed: number },
): void {
  const { markets, ...terms } = scenario
  const tapes = markets.map((market) => ({ ...market, file: `${market.symbol}.csv` }))
  const described = tapes.map(({ symbol, file, rows, pricePrecision, qtyPrecision }) => {
    const candleMs = rows.kind === 'candles' ? rows.intervalMs : null
    return { symbol, file, candleMs, pricePrecision, qtyPrecision }
  })
  const { strategy, seed, params, paramTexts } = given
  const reported = { check: 1, papertape: version(), strategy, kind, text, time, seed, run, params, paramTexts }
  try {
    clear(where, directory)
    for (const { file, rows, gaps } of tapes) {
      writeFileSync(join(directory, file), csvOf(rows))
      if (gaps.length === 0) continue
      writeFileSync(join(directory, gapFileOf(file)), `${GAP_HEADER}\n${gaps.map(gapLine).join('')}`)
    }
    const json = JSON.stringify({ ...reported, scenario: { ...terms, markets: described } }, undefined, 2)
    writeFileSync(join(directory, CHECK_FILE), `${json}\n`)
  } catch (error) {
    if (error instanceof InputError) throw error
    throw writeFault(where, `'${directory}' cannot be written`, error)
  }
}

/** Makes the folder, or takes away what an earlier finding has there. */
function clear(where: Place, directory: string): void {
  makeDirectory(resolve(directory))
  const names = readdirSync(directory)
  const isOurs = names.length === 0 || names.every((name) => name === CHECK_FILE || name.endsWith('.csv'))
  if (!isOurs)
    throw new InputError(
      where,
      `'${directory}' contains files that are not a finding of a check: use another directory`,
    )
  for (const name of names) rmSync(join(directory, name))
}

/**
 * Reads a finding.
 *
 * @throws {InputError} for a folder without a finding, or at the invalid part of it
 */
export async function readFinding(where: Place, directory: string): Promise<SavedFinding> {
  const file = join(directory, CHECK_FILE)
  if (!existsSync(file))
    throw new InputError(where, `'${directory}' is not a finding of a check: it has no ${CHECK_FILE}`)
  const { kind, params, paramTexts, scenario } = parsed(file)
  const markets: ScenarioMarket[] = []
  for (const { file: name, candleMs, ...market } of scenario.markets) {
    const path = join(directory, name)
    const gaps = (await readGapFile(path))?.gaps ?? []
    markets.push({ ...market, rows: rowsIn(path, candleMs), gaps })
  }
  return { kind, params, paramTexts, scenario: { ...scenario, markets } as Scenario }
}

function parsed(file: string): z.output<typeof checkSchema> {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new InputError(file, thrownText(error), { cause: error })
  }
  const { data, error } = checkSchema.safeParse(json)
  if (data !== undefined) return data
  const [issue] = error.issues
  throw new InputError(`${file}: ${issue?.path.join('.') ?? ''}`, issue?.message ?? 'is not a valid finding of a check')
}

function rowsIn(file: string, candleMs: number | null): TapeRows {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new InputError(file, `cannot be read (${thrownText(error)})`, { cause: error })
  }
  const [header = '', ...lines] = text.trimEnd().split(/\r?\n/)
  const names = header.split(',')
  const rows = lines.map((line) => {
    const cells = line.split(',')
    return (name: string): string => cells[names.indexOf(name)] ?? ''
  })
  if (candleMs === null) {
    const trades = rows.map((cell) => {
      const side = cell('side')
      const row = { time: Number(cell('time')), price: cell('price'), qty: cell('qty') }
      return side === 'BUY' || side === 'SELL'
        ? { ...row, side: side === 'BUY' ? ('BUY' as const) : ('SELL' as const) }
        : row
    })
    return { kind: 'trades', trades }
  }
  const candles = rows.map((cell) => {
    const [open, high, low, close] = [cell('open'), cell('high'), cell('low'), cell('close')]
    return { time: Number(cell('time')), open, high, low, close, volume: cell('volume') }
  })
  return { kind: 'candles', candles, intervalMs: candleMs }
}
