/**
 * Many accounts of one hand: nearly every order of one follows an order of the other after the same time, to a few
 * milliseconds.
 *
 * Players with the same public code decide at the same moments, but their orders take different ways to the exchange.
 * A moment at which most players order, such as the end of a candle under a virtual clock, says nothing.
 *
 * Known limitation: the same code twice in one data centre looks like one hand, and so do two of few bots that follow
 * one schedule of a virtual clock.
 */
import type { SeasonOrder, SeasonRecord } from '../season-record.ts'
import { ascendingLines, type Finding, linkedGroups, ordersOfPlayers, registered } from './finding.ts'

const MIN_ORDERS = 20
/** Longest time from an order of one account to that of the other. */
const MAX_LAG_MS = 1_000
/** Lags that differ by less count as the same. */
const LAG_WINDOW_MS = 6
/** Least share of the orders of both accounts that are pairs. */
const MIN_SHARE = 0.75

/** Players, and their share of all, that order in the same millisecond because the market gives them a reason. */
const MIN_CROWD = 4
const CROWD_SHARE = 0.5

interface Match {
  readonly accounts: readonly [string, string]
  readonly lines: readonly number[]
  readonly pairs: number
}

/** One finding for each group of accounts that are linked to each other. */
export function oneHand(record: SeasonRecord): readonly Finding[] {
  const active = ownMoments(ordersOfPlayers(record)).filter(([, orders]) => orders.length >= MIN_ORDERS)
  const matches = active.flatMap(([first, own], index) =>
    active.slice(index + 1).flatMap(([second, others]): Match[] => {
      const pairs = pairsAtBestLag(own, others)
      if (pairs.length < MIN_SHARE * Math.max(own.length, others.length)) return []
      return [{ accounts: [first, second], pairs: pairs.length, lines: pairs.flat().map(({ line }) => line) }]
    }),
  )
  return linkedGroups(matches).map((group): Finding => {
    const accounts = registered(record, new Set(group.flatMap((match) => match.accounts)))
    const sentence =
      `${accounts.join(', ')} sent orders at the same times: ${group.reduce((all, { pairs }) => all + pairs, 0)} pairs ` +
      `of orders with lags that differ by less than ${LAG_WINDOW_MS} ms`
    return { kind: 'one-hand', accounts, lines: ascendingLines(group.flatMap(({ lines }) => lines)), sentence }
  })
}

type OrdersOfPlayer = readonly [account: string, orders: readonly SeasonOrder[]]

/** Orders without those at moments of so many players that they follow from the schedule of the market. */
function ownMoments(all: readonly OrdersOfPlayer[]): readonly OrdersOfPlayer[] {
  const most = Math.max(MIN_CROWD, all.length * CROWD_SHARE)
  const playersByMoment = new Map<number, number>()
  for (const [, orders] of all) {
    for (const moment of new Set(orders.map(({ time }) => time))) {
      playersByMoment.set(moment, (playersByMoment.get(moment) ?? 0) + 1)
    }
  }
  return all.map(([account, orders]) => [
    account,
    orders.filter(({ time }) => (playersByMoment.get(time) ?? 0) <= most),
  ])
}

/** Pairs of orders whose lag is in the window that has most of them; each order is in one pair at most. */
function pairsAtBestLag(
  own: readonly SeasonOrder[],
  others: readonly SeasonOrder[],
): readonly (readonly [SeasonOrder, SeasonOrder])[] {
  // With so different counts the share cannot be reached.
  if (Math.min(own.length, others.length) < MIN_SHARE * Math.max(own.length, others.length)) return []
  const counts = lagCounts(own, others)
  let [best, most] = [0, 0]
  let inWindow = 0
  for (let bin = 0; bin < counts.length; bin += 1) {
    inWindow += (counts[bin] ?? 0) - (counts[bin - LAG_WINDOW_MS] ?? 0)
    if (inWindow > most) [best, most] = [bin - LAG_WINDOW_MS + 1, inWindow]
  }
  return pairsWithLag(own, others, best - MAX_LAG_MS)
}

/** Pairs of orders by the time from the first to the second, from -`MAX_LAG_MS` to `MAX_LAG_MS`. */
function lagCounts(own: readonly SeasonOrder[], others: readonly SeasonOrder[]): Uint32Array {
  const counts = new Uint32Array(2 * MAX_LAG_MS + 1)
  let from = 0
  for (const { time } of own) {
    while (from < others.length && (others[from]?.time ?? 0) < time - MAX_LAG_MS) from += 1
    for (let index = from; index < others.length; index += 1) {
      const bin = (others[index]?.time ?? 0) - time + MAX_LAG_MS
      if (bin >= counts.length) break
      counts[bin] = (counts[bin] ?? 0) + 1
    }
  }
  return counts
}

function pairsWithLag(
  own: readonly SeasonOrder[],
  others: readonly SeasonOrder[],
  lag: number,
): readonly (readonly [SeasonOrder, SeasonOrder])[] {
  let next = 0
  return own.flatMap((order) => {
    while (next < others.length && (others[next]?.time ?? 0) < order.time + lag) next += 1
    const other = others[next]
    if (other === undefined || other.time >= order.time + lag + LAG_WINDOW_MS) return []
    next += 1
    return [[order, other] as const]
  })
}
