/**
 * Generators for fast-check: tapes, the terms of a run, and faults of an exchange, as a strategy meets them at its
 * worst.
 *
 * Tight on purpose: steps of a few ticks, trades as large as an order, times that coincide, silences, jumps.
 */
import fc from 'fast-check'
import { formatUnits } from '../../domain/fixed-point.ts'
import { MAX_LATENCY_MS } from '../../runtime/settings/run-terms.ts'
import { followsBook, LIQUIDITY_NAMES } from '../../simulation/liquidity/liquidity-models.ts'
import type { ExchangeFault } from '../faults/exchange-fault.ts'
import type { TestCandle, TestTrade } from '../tapes/tape-rows.ts'
import { START } from '../tapes/tape-text.ts'

/** Size of a generated tape. */
export interface TapeShape {
  /** Minimum count of rows; default: 1. */
  readonly minRows?: number
  /** Maximum count of rows; default: 60. */
  readonly maxRows?: number
  /** Time scale of the strategy in milliseconds, such as the length of its candles; default: 1000. */
  readonly scaleMs?: number
  /** Decimal digits of prices; default: 2. */
  readonly pricePrecision?: number
  /** Decimal digits of quantities; default: 4. */
  readonly qtyPrecision?: number
  /** Price of the first row in ticks; default: 10000. */
  readonly firstTicks?: number
  /** Start of the recording, Unix milliseconds; default: 2024-01-01T00:00:00Z. */
  readonly start?: number
}

const DEFAULTS = {
  minRows: 1,
  maxRows: 60,
  scaleMs: 1_000,
  pricePrecision: 2,
  qtyPrecision: 4,
  firstTicks: 10_000,
  start: START,
} as const satisfies Required<TapeShape>

/** Moves in thousandths of the price; most are small, some are a jump. */
const moves = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -12, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: -150, max: 180 }) },
)

/** Waits in thousandths of the scale; many are none. */
const waits = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 200 }) },
  { weight: 6, arbitrary: fc.integer({ min: 200, max: 1_500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1_500, max: 30_000 }) },
)

/** Sizes in tenths of the base asset. */
const sizes = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 30, max: 1_000 }) },
)

const sides = fc.constantFrom(undefined, undefined, 'BUY' as const, 'SELL' as const)

/** The price after a move, never below a twentieth of the first one. */
const movedTicks = (ticks: number, perMille: number, first: number): number => {
  const step = Math.sign(perMille) * Math.max(Math.abs(perMille), Math.floor((ticks * Math.abs(perMille)) / 1_000))
  return Math.max(Math.ceil(first / 20), ticks + step)
}

const qtyText = (tenths: number, qtyPrecision: number): string =>
  formatUnits(
    qtyPrecision === 0 ? Math.max(1, Math.floor(tenths / 10)) : tenths * Number(10n ** BigInt(qtyPrecision - 1)),
    qtyPrecision,
  )

/** Generates recorded trades of one market, for `testStrategy`; times in Unix milliseconds. */
export function someTrades(shape: TapeShape = {}): fc.Arbitrary<readonly TestTrade[]> {
  const { minRows, maxRows, scaleMs, pricePrecision, qtyPrecision, firstTicks, start } = { ...DEFAULTS, ...shape }
  const step = fc.tuple(waits, moves, sizes, sides)
  return fc.array(step, { minLength: minRows, maxLength: maxRows, size: 'max' }).map((steps) => {
    let [time, ticks] = [start, firstTicks]
    const hasSides = steps.some(([, , , side]) => side !== undefined) && steps.length % 2 === 0
    return steps.map(([wait, move, size, side = 'BUY']): TestTrade => {
      time += Math.floor((wait * scaleMs) / 1_000)
      ticks = movedTicks(ticks, move, firstTicks)
      const price = formatUnits(ticks, pricePrecision)
      return { time, price, qty: qtyText(size, qtyPrecision), ...(hasSides && { side }) }
    })
  })
}

/** Generates recorded candles of one market, of `scaleMs` each, some of them missing; times in Unix milliseconds. */
export function someCandles(shape: TapeShape = {}): fc.Arbitrary<readonly TestCandle[]> {
  const { minRows, maxRows, scaleMs, pricePrecision, qtyPrecision, firstTicks, start } = { ...DEFAULTS, ...shape }
  const skipped = fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
  )
  const step = fc.tuple(skipped, moves, moves, fc.nat(20), fc.nat(20), sizes)
  return fc.array(step, { minLength: minRows, maxLength: maxRows, size: 'max' }).map((steps) => {
    let [time, last] = [start - scaleMs, firstTicks]
    return steps.map(([skip, gap, move, above, below, size]): TestCandle => {
      time += scaleMs * (skip + 1)
      const open = movedTicks(last, skip === 0 ? 0 : gap, firstTicks)
      last = movedTicks(open, move, firstTicks)
      const text = (ticks: number): string => formatUnits(ticks, pricePrecision)
      return {
        time,
        open: text(open),
        high: text(Math.max(open, last) + above),
        low: text(Math.max(1, Math.min(open, last) - below)),
        close: text(last),
        volume: qtyText(size, qtyPrecision),
      }
    })
  })
}

/** Terms of a run on one market. */
export interface SomeTerms {
  /** Starting balances, decimal strings by asset. */
  readonly balances: Readonly<Record<string, string>>
  /** Latency of orders, replies and market data, in milliseconds. */
  readonly latency: { readonly orderMs: number; readonly responseMs: number; readonly feedMs: number }
  /** Fees in basis points, decimal strings. */
  readonly fees: { readonly makerBps: string; readonly takerBps: string }
  /** Name of the liquidity model. */
  readonly liquidity: string
  /** Seed of the strategy's random numbers: a 32-bit integer. */
  readonly seed: number
}

/**
 * Generates terms of a run: money on one side, on both, or little; latencies from 0 to many times `scaleMs`, at most
 * one day.
 *
 * @param symbol   BASE_QUOTE
 * @param scaleMs  time scale of the strategy in milliseconds
 */
export function someTerms(symbol = 'BTC_USD', scaleMs = 1_000): fc.Arbitrary<SomeTerms> {
  const [base = '', quote = ''] = symbol.split('_')
  const long = (times: number): number => Math.min(MAX_LATENCY_MS, Math.floor(times * scaleMs))
  const latencyMs = fc.constantFrom(0, 0, 50, long(0.5), long(1), long(4))
  return fc.record({
    balances: fc.constantFrom(
      { [quote]: '10000' },
      { [quote]: '10000' },
      { [quote]: '5000', [base]: '50' },
      { [quote]: '3000', [base]: '0.5' },
      { [base]: '100' },
    ),
    latency: fc.record({
      orderMs: fc.oneof(fc.constant(50), latencyMs),
      responseMs: fc.oneof(fc.constant(0), latencyMs),
      feedMs: fc.oneof(fc.constant(0), latencyMs),
    }),
    fees: fc.constantFrom({ makerBps: '0', takerBps: '0' }, { makerBps: '2', takerBps: '10' }),
    liquidity: fc.constantFrom(...LIQUIDITY_NAMES.filter((name) => !followsBook(name))),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
}

/**
 * Generates faults of an exchange, of any kind, on the first requests of a strategy.
 *
 * @param scaleMs  time scale of the strategy in milliseconds
 */
export function someFaults(scaleMs = 1_000): fc.Arbitrary<readonly ExchangeFault[]> {
  const request = fc.integer({ min: 1, max: 12 })
  const lateMs = fc.constantFrom(1, scaleMs, 10 * scaleMs)
  const fault: fc.Arbitrary<ExchangeFault> = fc.oneof(
    fc.record({
      type: fc.constant('refuse' as const),
      request,
      code: fc.constantFrom('ORDER_REJECTED' as const, 'NO_LIQUIDITY' as const, 'RATE_LIMITED' as const),
    }),
    fc.record({ type: fc.constant('late' as const), request, lateMs }),
    fc.record({
      type: fc.constant('lost' as const),
      request,
      isExecuted: fc.boolean(),
      unknownAfterMs: lateMs,
      settledAfterMs: lateMs,
    }),
    fc.record({ type: fc.constant('silence' as const), request, unknownAfterMs: lateMs }),
  )
  return fc.uniqueArray(fault, { maxLength: 4, selector: (each) => each.request })
}
