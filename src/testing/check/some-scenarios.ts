/**
 * Scenarios for a strategy, drawn from its habits.
 */
import fc from 'fast-check'
import { HOUR_MS } from '../../domain/time.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { someCandles, someFaults, someTerms, someTrades, type TapeShape } from '../generators/arbitraries.ts'
import type { TapeRows } from '../tapes/tape-rows.ts'
import { rowsOf, type Scenario, type ScenarioMarket, type ScenarioRow } from './scenario.ts'
import type { Habits } from './subject.ts'

/** Few rows are soon played; a fault may need many. */
const LENGTHS = [
  { weight: 5, shape: { minRows: 2, maxRows: 30 } },
  { weight: 5, shape: { minRows: 20, maxRows: 90 } },
  { weight: 1, shape: { minRows: 220, maxRows: 320 } },
] as const

/** Mostly 100.00, and prices at which the account can buy much more, or less than one unit. */
const FIRST_TICKS = [10_000, 10_000, 10_000, 700, 260_000, 4_200_000] as const
const DIGITS = { pricePrecision: 2, qtyPrecision: 6 } as const

/** Generates scenarios for a strategy with these habits. */
export function someScenarios({ symbols, scalesMs, candleMs }: Habits): fc.Arbitrary<Scenario> {
  const [first = ''] = symbols
  const shapes = fc.oneof(...LENGTHS.map(({ weight, shape }) => ({ weight, arbitrary: fc.constant(shape) })))
  return fc
    .record({
      scaleMs: fc.constantFrom(...scalesMs),
      isCandles: candleMs === undefined ? fc.constant(false) : fc.oneof(fc.boolean(), fc.constant(false)),
      shape: shapes,
    })
    .chain(({ scaleMs, isCandles, shape }) => {
      const rows = (symbol: string): fc.Arbitrary<ScenarioMarket> =>
        fc.constantFrom(...FIRST_TICKS).chain((firstTicks) => {
          const size: TapeShape = { ...shape, ...DIGITS, firstTicks }
          const tape = isCandles && candleMs !== undefined ? candleRows(size, candleMs) : tradeRows(size, scaleMs)
          return fc.tuple(tape, someGaps).map(([each, gaps]) => marketOf(symbol, each, gaps))
        })
      return fc
        .record({
          markets: fc.tuple(...symbols.map(rows)),
          terms: someTerms(first, isCandles ? (candleMs ?? scaleMs) : scaleMs),
          hasLimits: fc.boolean(),
          faults: fc.oneof(fc.constant([]), someFaults(scaleMs)),
          restarts: fc.oneof(
            fc.constant([]),
            fc.constant([]),
            fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 2 }),
          ),
          silence: someSilence,
        })
        .map(({ markets: busy, terms, hasLimits, faults, restarts, silence }) => {
          const markets = silence === undefined ? busy : withSilence(busy, silence, isCandles ? (candleMs ?? 1) : 1)
          return { markets, ...terms, hasLimits, faults, restarts: restartsIn(markets, restarts) }
        })
    })
}

const tradeRows = (shape: TapeShape, scaleMs: number): fc.Arbitrary<TapeRows> =>
  someTrades({ ...shape, scaleMs }).map((trades) => ({ kind: 'trades', trades }))

const candleRows = (shape: TapeShape, intervalMs: number): fc.Arbitrary<TapeRows> =>
  someCandles({ ...shape, scaleMs: intervalMs }).map((candles) => ({ kind: 'candles', candles, intervalMs }))

/** Places of gaps in hundredths of the tape. */
const someGaps = fc.oneof(fc.constant([]), fc.constant([]), fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 2 }))

interface Silence {
  /** Start of the silence, in percent of the tapes' duration. */
  readonly place: number
  readonly lengthMs: number
}

/** Silence of an hour or more in all markets. */
const someSilence: fc.Arbitrary<Silence | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({ place: fc.integer({ min: 0, max: 99 }), lengthMs: fc.constantFrom(HOUR_MS, 2 * HOUR_MS) }),
  },
)

/** @param stepMs  later rows move by a multiple of this: the length of a candle */
function withSilence(
  markets: readonly ScenarioMarket[],
  { place, lengthMs }: Silence,
  stepMs: number,
): readonly ScenarioMarket[] {
  const begin = timeAt(markets, place)
  const moved = (time: number): number => (time > begin ? time + Math.ceil(lengthMs / stepMs) * stepMs : time)
  const movedRow = <T extends ScenarioRow>(row: T): T => ({ ...row, time: moved(row.time) })
  return markets.map((market) => {
    const { rows, gaps } = market
    return {
      ...market,
      rows:
        rows.kind === 'trades'
          ? { ...rows, trades: rows.trades.map(movedRow) }
          : { ...rows, candles: rows.candles.map(movedRow) },
      gaps: gaps.map(({ from, to, why }) => ({ from: moved(from), to: moved(to), why })),
    }
  })
}

function marketOf(symbol: string, rows: TapeRows, places: readonly number[]): ScenarioMarket {
  const market: ScenarioMarket = { symbol, rows, ...DIGITS, gaps: [] }
  return rows.kind === 'candles' ? market : { ...market, gaps: gapsAt(rowsOf(market), places) }
}

function gapsAt(rows: readonly ScenarioRow[], places: readonly number[]): readonly MarkedGap[] {
  const behind = [...new Set(places.map((place) => Math.ceil((place / 100) * (rows.length - 1))))].sort((a, b) => a - b)
  return behind.flatMap((index): readonly MarkedGap[] => {
    const [before, after] = [rows[index - 1], rows[index]]
    if (before === undefined || after === undefined || before.time === after.time) return []
    return [{ from: before.time, to: after.time, why: 'check' }]
  })
}

/** @param places  in hundredths of the time of the tapes */
function restartsIn(markets: readonly ScenarioMarket[], places: readonly number[]): readonly number[] {
  return [...new Set(places.map((place) => timeAt(markets, place)))].sort((a, b) => a - b)
}

function timeAt(markets: readonly ScenarioMarket[], place: number): number {
  const times = markets.flatMap((market) => rowsOf(market).map(({ time }) => time))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  return from + Math.floor(((to - from) * place) / 100)
}
