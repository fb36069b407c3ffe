/**
 * Portfolios of the naive exchange: the baseline is worked out anew from all credits and rows ever (decision 17).
 */
import { powerOfTen } from '../../src/domain/fixed-point.ts'
import type { Portfolio, Position } from '../../src/domain/portfolio.ts'
import { balanceOf } from './naive-ledger.ts'
import { sum } from './naive-order.ts'
import type { NaiveMarket } from './naive-order.ts'
import { pricingRows } from './naive-state.ts'
import type { NaiveCredit, NaiveRow, NaiveState } from './naive-state.ts'

/** A price of an asset in the quote asset, in units of 10^-scale. */
interface Mark {
  readonly price: number
  readonly scale: number
  /** Of the row that made it; undefined for the quote asset, whose price is always 1. */
  readonly time?: number
}

const scaleOf = (state: NaiveState, asset: string): number => state.scales.get(asset) ?? 0

const valuingMarkets = (state: NaiveState): readonly NaiveMarket[] =>
  state.markets.filter(({ config }) => config.quoteAsset === state.config.quoteAsset)

/** As many digits as a ledger unit of any asset times a tick can have. */
function valueScaleOf(state: NaiveState): number {
  const digits = valuingMarkets(state).map(({ config }) => scaleOf(state, config.baseAsset) + config.pricePrecision)
  return Math.max(scaleOf(state, state.config.quoteAsset), ...digits)
}

/** Mark of the asset by the row that `pick` chooses among those of its market; undefined when there is no market or no row. */
function markBy(state: NaiveState, asset: string, pick: (symbol: string) => NaiveRow | undefined): Mark | undefined {
  if (asset === state.config.quoteAsset) return { price: 1, scale: 0 }
  const market = valuingMarkets(state).find(({ config }) => config.baseAsset === asset)
  const row = market === undefined ? undefined : pick(market.config.symbol)
  if (market === undefined || row === undefined) return undefined
  return { price: row.price, scale: market.config.pricePrecision, time: row.time }
}

/** The last row that forms a price of the market, among the first `before` of all markets. */
const lastRow = (state: NaiveState, symbol: string, before: number): NaiveRow | undefined =>
  pricingRows(state.rows.slice(0, before), symbol).at(-1)

const firstRow = (state: NaiveState, symbol: string): NaiveRow | undefined => pricingRows(state.rows, symbol)[0]

/** `amount` ledger units of the asset at a mark, in units of 10^-valueScale. */
function valueOf(state: NaiveState, asset: string, amount: bigint, mark: Mark | undefined): bigint {
  if (mark === undefined) return 0n
  return amount * BigInt(mark.price) * powerOfTen(valueScaleOf(state) - scaleOf(state, asset) - mark.scale)
}

/** A credit counts at the last price before it; where there was none, at the first one after it, and until then not at all. */
function creditValue(state: NaiveState, credit: NaiveCredit): bigint {
  const mark = markBy(
    state,
    credit.asset,
    (symbol) => lastRow(state, symbol, credit.rowsBefore) ?? firstRow(state, symbol),
  )
  return valueOf(state, credit.asset, credit.amount, mark)
}

function positionOf(state: NaiveState, account: string, asset: string): { position: Position; mark: Mark | undefined } {
  const { available, locked } = balanceOf(state, account, asset)
  const total = available + locked
  const mark = markBy(state, asset, (symbol) => lastRow(state, symbol, Infinity))
  const position = {
    asset,
    available,
    locked,
    total,
    scale: scaleOf(state, asset),
    markPrice: mark?.price ?? 0,
    markScale: mark?.scale ?? 0,
    value: valueOf(state, asset, total, mark),
  }
  return { position, mark }
}

export function portfolioOf(state: NaiveState, account: string, now: number): Portfolio {
  const rows = [...state.scales.keys()].map((asset) => positionOf(state, account, asset))
  const held = rows.filter(({ position }) => position.total !== 0n)
  const markTimes = held.flatMap(({ mark }) => (mark?.time === undefined ? [] : [mark.time]))
  const credits = state.credits.filter((credit) => credit.account === account)
  const baseline = sum(credits.map((credit) => creditValue(state, credit)))
  return {
    quoteAsset: state.config.quoteAsset,
    valueScale: valueScaleOf(state),
    equity: sum(rows.map(({ position }) => position.value)),
    baselineEquity: baseline < 0n ? 0n : baseline,
    baselineAt: credits[0]?.time ?? now,
    asOf: markTimes.length === 0 ? now : Math.min(...markTimes),
    partial: held.some(({ mark }) => mark === undefined),
    positions: rows.map(({ position }) => position),
  }
}
