/**
 * Portfolios of the naive exchange: the baseline is worked out again from all credits ever (decision 17).
 */
import type { Portfolio, Position } from '../../src/domain/portfolio.ts'
import { balanceOf } from './naive-ledger.ts'
import type { NaiveMarket, NaiveRow } from './naive-market.ts'
import { sum, tenTo } from './naive-numbers.ts'
import { accountOf } from './naive-state.ts'
import type { NaiveCredit, NaiveState } from './naive-state.ts'

/** A price of an asset in the quote asset, in units of 10^-digits. */
interface Mark {
  readonly price: number
  readonly digits: number
  /** Of the row that made it; undefined for the quote asset, whose price is always 1. */
  readonly time?: number
}

const digitsOf = (state: NaiveState, asset: string): number => state.digits.get(asset) ?? 0

const valuingMarkets = (state: NaiveState): readonly NaiveMarket[] =>
  state.markets.filter(({ config }) => config.quoteAsset === state.config.quoteAsset)

/** The prices that the asset has had, oldest first. */
export const pricesOf = (state: NaiveState, asset: string): readonly NaiveRow[] =>
  valuingMarkets(state).find(({ config }) => config.baseAsset === asset)?.pricing ?? []

/** As many digits as a ledger unit of any asset times a tick can have. */
function valueDigits(state: NaiveState): number {
  const digits = valuingMarkets(state).map(({ config }) => digitsOf(state, config.baseAsset) + config.pricePrecision)
  return Math.max(digitsOf(state, state.config.quoteAsset), ...digits)
}

/** Mark of the asset by one of its rows; undefined without one. */
function markOf(state: NaiveState, asset: string, row: NaiveRow | undefined): Mark | undefined {
  if (asset === state.config.quoteAsset) return { price: 1, digits: 0 }
  const market = valuingMarkets(state).find(({ config }) => config.baseAsset === asset)
  if (market === undefined || row === undefined) return undefined
  return { price: row.price, digits: market.config.pricePrecision, time: row.time }
}

/** `amount` ledger units of the asset at a mark, in units of 10^-valueDigits. */
function valueOf(state: NaiveState, asset: string, amount: bigint, mark: Mark | undefined): bigint {
  if (mark === undefined) return 0n
  return amount * BigInt(mark.price) * tenTo(valueDigits(state) - digitsOf(state, asset) - mark.digits)
}

/**
 * A credit counts at the last price before it; where there was none, at the first one after it, and until then not at
 * all.
 */
function creditValue(state: NaiveState, { asset, amount, pricesBefore }: NaiveCredit): bigint {
  const prices = pricesOf(state, asset)
  return valueOf(state, asset, amount, markOf(state, asset, prices[pricesBefore - 1] ?? prices[0]))
}

function positionOf(state: NaiveState, account: string, asset: string): { position: Position; mark: Mark | undefined } {
  const { available, locked } = balanceOf(state, account, asset)
  const total = available + locked
  const mark = markOf(state, asset, pricesOf(state, asset).at(-1))
  const position = {
    asset,
    available,
    locked,
    total,
    scale: digitsOf(state, asset),
    markPrice: mark?.price ?? 0,
    markScale: mark?.digits ?? 0,
    value: valueOf(state, asset, total, mark),
  }
  return { position, mark }
}

export function portfolioOf(state: NaiveState, account: string, now: number): Portfolio {
  const rows = [...state.digits.keys()].map((asset) => positionOf(state, account, asset))
  const held = rows.filter(({ position }) => position.total !== 0n)
  const markTimes = held.flatMap(({ mark }) => (mark?.time === undefined ? [] : [mark.time]))
  const { credits } = accountOf(state, account)
  const baseline = sum(credits.map((credit) => creditValue(state, credit)))
  return {
    quoteAsset: state.config.quoteAsset,
    valueScale: valueDigits(state),
    equity: sum(rows.map(({ position }) => position.value)),
    baselineEquity: baseline < 0n ? 0n : baseline,
    baselineAt: credits[0]?.time ?? now,
    asOf: markTimes.length === 0 ? now : Math.min(...markTimes),
    partial: held.some(({ mark }) => mark === undefined),
    positions: rows.map(({ position }) => position),
  }
}
