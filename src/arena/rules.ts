/** Disqualifications by the rules of a season, each with the lines of the journal or the samples that prove it. */
import { formatTrimmed } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { isoTime } from '../domain/time.ts'
import { moneyOf, moneyText } from './season-money.ts'
import type { SeasonFill, SeasonRecord } from './season-record.ts'

export interface Disqualification {
  readonly rule: 'leastTrades' | 'largestPosition' | 'largestDrawdown' | 'selfTrading'
  readonly account: string
  /** One sentence with the figure and the limit. */
  readonly reason: string
  /** Lines of the journal that prove it: the breach, or the registration of a player with too few trades. */
  readonly lines: readonly number[]
  /** Sample times that prove it: the peak and the fall. */
  readonly times: readonly number[]
}

/**
 * The first breach of each rule by each player: players in the order of registration, rules as listed above.
 *
 * @param isOver  until then a player can still make enough trades
 */
export function disqualifications(record: SeasonRecord, isOver: boolean): readonly Disqualification[] {
  const markets = new Map(record.markets.map((market) => [market.symbol, market]))
  return record.players.flatMap((player, index) => {
    const { account, line } = player
    const fills = record.fills.filter(({ maker, taker }) => maker.account === account || taker.account === account)
    const breaches = [
      isOver ? leastTrades(record, fills.length, line) : undefined,
      largestPosition(record, markets, account, fills),
      largestDrawdown(record, index),
      selfTrading(record, fills),
    ]
    return breaches.flatMap((breach) => (breach === undefined ? [] : [{ ...breach, account }]))
  })
}

type Breach = Omit<Disqualification, 'account'>

function leastTrades({ rules }: SeasonRecord, trades: number, line: number): Breach | undefined {
  const { leastTrades: limit = 0 } = rules
  if (trades >= limit) return undefined
  return { rule: 'leastTrades', reason: `made ${trades} of at least ${limit} trades`, lines: [line], times: [] }
}

function largestPosition(
  record: SeasonRecord,
  markets: ReadonlyMap<string, Market>,
  account: string,
  fills: readonly SeasonFill[],
): Breach | undefined {
  const limit = record.rules.largestPosition
  if (limit === undefined) return undefined
  const positions = new Map<string, number>()
  for (const { symbol, price, qty, taker, maker, takerSide, line } of fills) {
    const market = markets.get(symbol)
    if (market === undefined || taker.account === maker.account) continue
    const isBuy = (taker.account === account) === (takerSide === 'BUY')
    const before = positions.get(symbol) ?? 0
    const position = before + (isBuy ? qty : -qty)
    positions.set(symbol, position)
    const value = moneyOf(price, Math.abs(position), market, record)
    // A fill that reduces a position is no breach, even if the price has made the rest too valuable.
    if (value <= limit || Math.abs(position) <= Math.abs(before)) continue
    return {
      rule: 'largestPosition',
      reason: `a position in ${symbol} of ${moneyText(value, record)}; the largest is ${moneyText(limit, record)}`,
      lines: [line],
      times: [],
    }
  }
  return undefined
}

function largestDrawdown({ rules, samples }: SeasonRecord, player: number): Breach | undefined {
  const limit = rules.largestDrawdownBps
  if (limit === undefined) return undefined
  let [peak, peakAt] = [0n, 0]
  for (const { time, equity } of samples) {
    const now = equity[player] ?? 0n
    if (now > peak) [peak, peakAt] = [now, time]
    if ((peak - now) * 10_000n <= BigInt(limit) * peak) continue
    const fall = `${formatTrimmed(((peak - now) * 10_000n) / peak, 2)} %`
    return {
      rule: 'largestDrawdown',
      reason:
        `equity fell by ${fall} from ${isoTime(peakAt)} to ${isoTime(time)}; ` +
        `the largest drawdown is ${formatTrimmed(limit, 2)} %`,
      lines: [],
      times: [peakAt, time],
    }
  }
  return undefined
}

function selfTrading({ rules }: SeasonRecord, fills: readonly SeasonFill[]): Breach | undefined {
  const own = fills.filter(({ maker, taker }) => maker.account === taker.account)
  if (rules.selfTrading === 'allow' || own.length === 0) return undefined
  const reason = `${own.length === 1 ? '1 trade' : `${own.length} trades`} with itself`
  return { rule: 'selfTrading', reason, lines: own.map(({ line }) => line), times: [] }
}
