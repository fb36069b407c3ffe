/**
 * The replay written twice: the obvious one, to keep the fast one honest.
 *
 * All rows in one list, sorted by time; every trade an object through `SimulatedMarkets.record`; a model that is
 * reported of each trade as it comes and asked for every remainder; ticker, candles and quote read after every trade.
 */
import { CANDLE_INTERVAL_NAMES } from '../../../src/domain/candle.ts'
import type { HeldPrints } from '../../../src/simulation/crowd/crowd.ts'
import type { LiquidityModel, RecordedTrade } from '../../../src/simulation/liquidity/liquidity-model.ts'
import type { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { NaiveOutlierFilter } from '../../tape/rig/naive-outlier-filter.ts'
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
  took: (side, qty, time, at) => {
    model.took(side, qty, time, at)
  },
  recordedBook: model.recordedBook,
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

interface HeldRow {
  readonly time: number
  readonly price: number
  readonly row: RecordedRow
}

/** What the rows before reported of their market. */
class Past {
  /** The last one that is believed. */
  last: RecordedTrade | undefined
  readonly naiveFilter = new NaiveOutlierFilter<HeldRow>(1)
  isSilenceReported = false
  /** Files that have begun, and the ids of each so far: the last one, and how many steps were of 1 and how many not. */
  readonly chains = new Map<number, { last: number | undefined; units: number; jumps: number }>()

  get tapes(): readonly number[] {
    return [...this.chains.keys()]
  }
}

/** @param silenceMs  longer than this is a gap */
export function plainReplay(
  simulated: SimulatedMarkets,
  tapes: readonly PlainTape[],
  end: number,
  silenceMs: number,
): void {
  const pasts = new Map<string, Past>()
  const all = sorted(tapes)
  all.forEach(({ tape, symbol, row, id }, index) => {
    const [time, price] = row
    while (simulated.queue.nextTime < time) simulated.queue.runNext()
    const past = pasts.get(symbol) ?? new Past()
    const isAlone = (): boolean =>
      past.tapes.every((other) => other === tape || all.findLastIndex((each) => each.tape === other) < index)
    if (isGap(past, { tape, time, id, isAlone, silenceMs })) {
      simulated.crowd(symbol).gap()
      past.naiveFilter.drop()
    }
    pasts.set(symbol, past)
    simulated.crowd(symbol).held = heldOf(past)
    const held = { time, price, row }
    if (isKnown(row)) past.naiveFilter.believe(price)
    const verdict = isKnown(row) ? 'believed' : past.naiveFilter.judge(held)
    if (verdict === 'held') simulated.market(symbol).show(time, price, row[2], isSell(row, past.last))
    else {
      if (verdict === 'borne out')
        for (const each of past.naiveFilter.held) recordLate(simulated, symbol, past, each.row, time)
      past.naiveFilter.drop()
      past.last = { time, price, qty: row[2], isBuyerMaker: isSell(row, past.last) }
      past.isSilenceReported = false
      simulated.record(symbol, past.last)
    }
    readAll(simulated, symbol, time)
  })
  while (simulated.queue.nextTime <= end) simulated.queue.runNext()
}

const heldOf = ({ naiveFilter }: Past): HeldPrints => ({
  worstFor: (side) => {
    const prices = naiveFilter.held.map(({ price }) => price)
    if (prices.length === 0) return undefined
    return side === 'BUY' ? Math.max(...prices) : Math.min(...prices)
  },
})

const isKnown = ([, , , side]: RecordedRow): boolean => side !== undefined

function recordLate(simulated: SimulatedMarkets, symbol: string, past: Past, row: RecordedRow, time: number): void {
  const [, price, qty] = row
  past.last = { time, price, qty, isBuyerMaker: isSell(row, past.last) }
  simulated.market(symbol).recordLate(time, price, qty, past.last.isBuyerMaker)
}

const sorted = (tapes: readonly PlainTape[]): readonly PlainRow[] =>
  tapes
    .flatMap(({ symbol, rows, ids }, tape) => rows.map((row, index) => ({ tape, symbol, row, id: ids?.[index] })))
    .sort((a, b) => a.row[0] - b.row[0])

function isSell([, price, , side]: RecordedRow, last: RecordedTrade | undefined): boolean {
  if (side !== undefined) return side === 'sell'
  if (last === undefined) return false
  return price === last.price ? last.isBuyerMaker : price < last.price
}

interface NextRow {
  readonly tape: number
  readonly time: number
  readonly id: number | undefined
  /** No other file of the market that has begun has a row to come. */
  readonly isAlone: () => boolean
  readonly silenceMs: number
}

function isGap(past: Past, { tape, time, id, isAlone, silenceMs }: NextRow): boolean {
  const isSilent = !past.isSilenceReported && past.last !== undefined && time - past.last.time > silenceMs
  if (isSilent) past.isSilenceReported = true
  const chain = past.chains.get(tape)
  if (chain === undefined) {
    const isBoundary = past.chains.size > 0 && isAlone()
    past.chains.set(tape, { last: id, units: 0, jumps: 0 })
    return isSilent || isBoundary
  }
  const isStep = isUnit(chain.last, id)
  const isJump = isStep === false && chain.units > chain.jumps
  chain.last = id
  if (isStep === true) chain.units += 1
  if (isStep === false) chain.jumps += 1
  return isSilent || isJump
}

/** Undefined for ids that are none. */
const isUnit = (before: number | undefined, id: number | undefined): boolean | undefined =>
  before === undefined || id === undefined ? undefined : id === before + 1

function readAll({ exchange }: SimulatedMarkets, symbol: string, now: number): void {
  exchange.ticker(symbol, now)
  for (const interval of CANDLE_INTERVAL_NAMES) exchange.candles(symbol, { interval, limit: 2 })
}
