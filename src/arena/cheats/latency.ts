/**
 * Abuse of latency, in two kinds.
 *
 * - Quote stuffing: bursts of orders that are cancelled within milliseconds, of which almost none is filled.
 * - Sniping: an account takes, a few milliseconds after a move of the price, the resting orders of one victim.
 */
import type { SeasonFill, SeasonRecord } from '../season-record.ts'
import { ascendingLines, type Finding, grouped, ordersOfPlayers } from './finding.ts'

const MAX_LIFE_MS = 50
const MIN_STUFFED = 200
/** Cancelled orders in a second that make a burst. */
const MIN_BURST = 10
/**
 * Least share of an account's orders that are cancelled in bursts, and largest share of filled ones in those seconds.
 */
const MIN_STUFFED_SHARE = 0.5
const MAX_FILLED_SHARE = 0.05

const secondOf = ({ time }: { readonly time: number }): string => String(Math.floor(time / 1_000))

export function quoteStuffing(record: SeasonRecord): readonly Finding[] {
  const cancels = new Map(record.cancels.map(({ orderId, time, line }) => [orderId, { time, line }]))
  const filled = new Set(record.fills.flatMap(({ maker, taker }) => [maker.orderId, taker.orderId]))
  return ordersOfPlayers(record).flatMap(([account, orders]): Finding[] => {
    const short = orders.flatMap(({ orderId, time, line }) => {
      const cancel = cancels.get(orderId)
      const isShort = cancel !== undefined && cancel.time - time <= MAX_LIFE_MS && !filled.has(orderId)
      return isShort ? [{ time, lines: [line, cancel.line] }] : []
    })
    const bursts = [...grouped(short, secondOf)].filter(([, { length }]) => length >= MIN_BURST)
    const [seconds, stuffed] = [new Set(bursts.map(([second]) => second)), bursts.flatMap(([, each]) => each)]
    const fills = orders.filter((order) => filled.has(order.orderId) && seconds.has(secondOf(order))).length
    if (stuffed.length < MIN_STUFFED || stuffed.length < MIN_STUFFED_SHARE * orders.length) return []
    if (fills > MAX_FILLED_SHARE * stuffed.length) return []
    const sentence =
      `${account} cancelled ${stuffed.length} of ${orders.length} orders within ${MAX_LIFE_MS} ms, ` +
      `${MIN_BURST} or more in a second; ${fills} others were filled in these seconds`
    const lines = ascendingLines(stuffed.flatMap((each) => each.lines))
    return [{ kind: 'quote-stuffing', accounts: [account], lines, sentence }]
  })
}

const MAX_REACTION_MS = 5
const MIN_SNIPES = 10
/** Least share of an account's orders that snipe, and of its fast fills that take from the same victim. */
const MIN_SNIPING_SHARE = 0.2
const MIN_VICTIM_SHARE = 0.6
/** The victim's share is at least so many times its share of all that is taken, or nearly everything. */
const MIN_VICTIM_RATIO = 2
const MAX_VICTIM_SHARE = 0.9

export function sniping(record: SeasonRecord): readonly Finding[] {
  const players = new Set(record.players.map(({ account }) => account))
  const fast = [...grouped(record.fills, ({ symbol }) => symbol).values()].flatMap(fastFills)
  return [...grouped(fast, ({ taker }) => taker.account)].flatMap(([sniper, own]): Finding[] => {
    const taken = new Set(record.fills.flatMap(({ taker }) => (taker.account === sniper ? [taker.orderId] : [])))
    return [...grouped(own, ({ maker }) => maker.account)].flatMap(([victim, snipes]): Finding[] => {
      const lines = ascendingLines(snipes.map(({ line }) => line))
      if (!players.has(sniper) || !players.has(victim) || lines.length < MIN_SNIPES) return []
      const usual = record.fills.filter(({ maker }) => maker.account === victim).length / record.fills.length
      const share = Math.min(MAX_VICTIM_SHARE, Math.max(MIN_VICTIM_SHARE, MIN_VICTIM_RATIO * usual))
      if (lines.length < MIN_SNIPING_SHARE * taken.size || snipes.length < share * own.length) return []
      const sentence =
        `${sniper} took resting orders of ${victim} ${lines.length} times within ${MAX_REACTION_MS} ms ` +
        `after a move of the price in the same direction, with ${lines.length} of ${taken.size} orders that took`
      return [{ kind: 'sniping', accounts: [sniper], lines, sentence }]
    })
  })
}

/** Fills just after another taker has moved the price in the same direction. */
function fastFills(fills: readonly SeasonFill[]): readonly SeasonFill[] {
  return fills.filter(({ time, line, taker, takerSide }, index) => {
    for (let at = index - 1; at > 0; at -= 1) {
      const [move, before] = [fills[at], fills[at - 1]]
      if (move === undefined || before === undefined || time - move.time > MAX_REACTION_MS) return false
      if (move.line === line || move.taker.account === taker.account) continue
      if (takerSide === 'BUY' ? move.price > before.price : move.price < before.price) return true
    }
    return false
  })
}
