/**
 * Price pushing: one player takes from another, order after order, at prices away from the market's.
 *
 * The market's prices are those of the last trade before, and of the first one after the push is over, of other orders
 * and other players. The transfer is the money beyond the nearer of them.
 */
import { moneyOf, moneyText } from '../season-money.ts'
import type { SeasonFill, SeasonRecord } from '../season-record.ts'
import { ascendingLines, buyerOf, type Finding, fillsOfPlayers, grouped, registered, sellerOf } from './finding.ts'

/** Distance from the market in basis points that chance and the spread do not explain. */
const MIN_DISTANCE_BPS = 50
/** Time in which the market returns from a push. */
const RETURN_MS = 10_000
const MIN_ORDERS = 5
/** Least share of the pair's off-market money that goes one way, of the gainer's, and of the loser's. */
const MIN_ONE_WAY = 0.9
const MIN_OF_GAINER = 0.7
const MIN_OF_LOSER = 0.5
/** Least share of the orders with which the two trade with each other, and of all with which the loser takes. */
const MIN_OF_PAIR = 0.5
const MIN_OF_TAKEN = 0.1
/** Least money as a share of the equity at the start, in basis points. */
const MIN_AMOUNT_BPS = 20n

interface Transfer {
  readonly line: number
  readonly loser: string
  readonly gainer: string
  readonly amount: bigint
}

export function pricePushing(record: SeasonRecord): readonly Finding[] {
  const bySymbol = grouped(record.fills, ({ symbol }) => symbol)
  const places = new Map([...bySymbol.values()].flatMap((fills) => fills.map((fill, index) => [fill, index] as const)))
  const between = fillsOfPlayers(record)
  const transfers = between.flatMap((fill) =>
    transferOf(record, fill, bySymbol.get(fill.symbol) ?? [], places.get(fill) ?? 0),
  )
  const ways = [...grouped(transfers, ({ loser, gainer }) => `${loser}\n${gainer}`).values()]
  return ways.flatMap((way): Finding[] => {
    const [{ loser, gainer } = { loser: '', gainer: '' }] = way
    const amount = total(way)
    const isShare = (share: number, isCounted: (transfer: Transfer) => boolean): boolean =>
      Number(amount) >= share * Number(total(transfers.filter(isCounted)))
    const lines = ascendingLines(way.map(({ line }) => line))
    const equity = record.samples[0]?.equity[record.players.findIndex(({ account }) => account === gainer)] ?? 0n
    const isPair = ({ loser: from, gainer: to }: Pick<Transfer, 'loser' | 'gainer'>): boolean =>
      [loser, gainer].includes(from) && [loser, gainer].includes(to)
    if (lines.length < MIN_ORDERS || amount * 10_000n < MIN_AMOUNT_BPS * equity || !isShare(MIN_ONE_WAY, isPair))
      return []
    const all = between.filter((fill) => isPair({ loser: sellerOf(fill), gainer: buyerOf(fill) }))
    if (lines.length < MIN_OF_PAIR * ordersIn(all)) return []
    // A player who always takes far more than there is near the market trades with all orders far away.
    if (lines.length < MIN_OF_TAKEN * ordersIn(record.fills.filter(({ taker }) => taker.account === loser))) return []
    if (!isShare(MIN_OF_GAINER, (each) => each.gainer === gainer)) return []
    if (!isShare(MIN_OF_LOSER, (each) => each.loser === loser)) return []
    const sentence =
      `${loser} lost ${moneyText(amount, record)} to ${gainer} in ${lines.length} orders ` +
      `at prices more than ${MIN_DISTANCE_BPS} basis points away from the market`
    return [{ kind: 'price-pushing', accounts: registered(record, new Set([loser, gainer])), lines, sentence }]
  })
}

function transferOf(
  record: SeasonRecord,
  fill: SeasonFill,
  all: readonly SeasonFill[],
  place: number,
): readonly Transfer[] {
  const pair = new Set([fill.maker.account, fill.taker.account])
  const isOther = ({ line, maker, taker }: SeasonFill): boolean =>
    line !== fill.line && !pair.has(maker.account) && !pair.has(taker.account)
  let [before, after] = [place - 1, place + 1]
  while (before >= 0 && !isOther(all[before] ?? fill)) before -= 1
  const isOver = (other: SeasonFill): boolean => other.time >= fill.time + RETURN_MS && isOther(other)
  while (after < all.length && !isOver(all[after] ?? fill)) after += 1
  const around = [all[before], all[after]].flatMap((other) => (other === undefined ? [] : [other.price]))
  const market = record.markets.find(({ symbol }) => symbol === fill.symbol)
  if (around.length === 0 || market === undefined) return []
  const [low, high] = [Math.min(...around), Math.max(...around)]
  const distance = Math.max(fill.price - high, low - fill.price)
  if (distance * 10_000 < MIN_DISTANCE_BPS * low) return []
  const [buyer, seller] = [buyerOf(fill), sellerOf(fill)]
  const [loser, gainer] = fill.price > high ? [buyer, seller] : [seller, buyer]
  // A resting order that loses is a stale quote, that anyone may take.
  if (gainer !== fill.maker.account) return []
  return [{ line: fill.line, loser, gainer, amount: moneyOf(distance, fill.qty, market, record) }]
}

const ordersIn = (fills: readonly SeasonFill[]): number => new Set(fills.map(({ line }) => line)).size

const total = (transfers: readonly Transfer[]): bigint => transfers.reduce((all, { amount }) => all + amount, 0n)
