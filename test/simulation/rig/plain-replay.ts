/**
 * The replay written twice: the obvious one, to keep the fast one honest.
 *
 * All rows in one list, sorted by time; every trade an object through `SimulatedMarkets.record`; a model that is told of each trade as it
 * comes and asked for every remainder; ticker, candles and quote read after every trade.
 */
import { CANDLE_INTERVAL_NAMES } from '../../../src/domain/candle.ts'
import type { LiquidityModel, RecordedTrade } from '../../../src/simulation/liquidity/liquidity-model.ts'
import type { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import type { RecordedRow } from './memory-tape.ts'

export interface PlainTape {
  readonly symbol: string
  readonly rows: readonly RecordedRow[]
  /** Of the rows, where they are integers. */
  readonly ids: readonly number[] | undefined
}

/** The same model without what makes it fast. */
export const plainModel = (model: LiquidityModel): LiquidityModel => ({
  learn: (trade) => {
    model.learn(trade)
  },
  gap: () => {
    model.gap()
  },
  get quote() {
    return model.quote
  },
  ladder: (taking) => model.ladder(taking),
  took: (side, qty, time) => {
    model.took(side, qty, time)
  },
  queueAhead: (side, price) => model.queueAhead(side, price),
  reach: (side, trade) => model.reach(side, trade),
  remainder: (trade, filled) => model.remainder(trade, filled),
})

interface PlainRow {
  readonly tape: number
  readonly symbol: string
  readonly row: RecordedRow
  readonly id: number | undefined
}

/** What the row before told of its market. */
interface Before {
  readonly tape: number
  readonly trade: RecordedTrade
  readonly id: number | undefined
}

/** @param silenceMs  longer than this is a gap */
export function plainReplay(
  simulated: SimulatedMarkets,
  tapes: readonly PlainTape[],
  end: number,
  silenceMs: number,
): void {
  const before = new Map<string, Before>()
  const steps = new Map<string, boolean[]>()
  for (const { tape, symbol, row, id } of sorted(tapes)) {
    const [time, price, qty] = row
    while (simulated.queue.nextTime < time) simulated.queue.runNext()
    const last = before.get(symbol)
    const trade = { time, price, qty, isBuyerMaker: isSell(row, last?.trade) }
    if (last !== undefined && isGap(last, tape, time, id, stepsOf(steps, symbol), silenceMs)) {
      simulated.crowd(symbol).gap()
    }
    before.set(symbol, { tape, trade, id })
    simulated.record(symbol, trade)
    readAll(simulated, symbol, time)
  }
  while (simulated.queue.nextTime <= end) simulated.queue.runNext()
}

const sorted = (tapes: readonly PlainTape[]): readonly PlainRow[] =>
  tapes
    .flatMap(({ symbol, rows, ids }, tape) => rows.map((row, index) => ({ tape, symbol, row, id: ids?.[index] })))
    .sort((a, b) => a.row[0] - b.row[0])

const stepsOf = (steps: Map<string, boolean[]>, symbol: string): boolean[] => {
  const known = steps.get(symbol) ?? []
  steps.set(symbol, known)
  return known
}

function isSell([, price, , side]: RecordedRow, last: RecordedTrade | undefined): boolean {
  if (side !== undefined) return side === 'sell'
  if (last === undefined) return false
  return price === last.price ? last.isBuyerMaker : price < last.price
}

/** @param steps  whether each step of ids so far was of 1 */
function isGap(
  last: Before,
  tape: number,
  time: number,
  id: number | undefined,
  steps: boolean[],
  silenceMs: number,
): boolean {
  if (tape !== last.tape) return true
  const isSilent = time - last.trade.time > silenceMs
  if (id === undefined || last.id === undefined) return isSilent
  const units = steps.filter((isUnit) => isUnit).length
  const isUnit = id === last.id + 1
  steps.push(isUnit)
  return isSilent || (!isUnit && units > steps.length - 1 - units)
}

function readAll({ exchange }: SimulatedMarkets, symbol: string, now: number): void {
  exchange.ticker(symbol, now)
  for (const interval of CANDLE_INTERVAL_NAMES) exchange.candles(symbol, { interval, limit: 2 })
}
