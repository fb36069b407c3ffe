/**
 * Rank farming: accounts that bet once, as much as each other, about half of them on a rise and half on a fall, so that
 * some must win.
 *
 * Accounts that never trade are no finding: they change no rank, and the rule of the least trades removes them.
 */
import { moneyOf } from '../season-money.ts'
import type { SeasonFill, SeasonRecord } from '../season-record.ts'
import { ascendingLines, type Finding, registered } from './finding.ts'

const MAX_TRADING_ORDERS = 2
const MIN_ACCOUNTS = 4
/** Least bet, as a share of the equity at the start. */
const MIN_BET = 0.2
/** Ratio of the largest bet to the smallest. */
const MAX_RATIO = 1.6
/** Longest time between the first bet and the last, as a share of the season. */
const MAX_TIME = 0.1
/** Least share of the bets on either side. */
const MIN_SIDE = 0.25

interface Bet {
  readonly account: string
  readonly symbol: string
  readonly time: number
  readonly isLong: boolean
  /** Share of the equity at the start. */
  readonly size: number
  readonly lines: readonly number[]
}

export function rankFarming(record: SeasonRecord): readonly Finding[] {
  const left = new Set(record.players.flatMap((_, index) => betOf(record, index)))
  const findings: Finding[] = []
  for (const first of [...left].sort((a, b) => a.time - b.time)) {
    const group = left.has(first) ? largestGroup(record, first, [...left]) : undefined
    if (group === undefined) continue
    for (const bet of group) left.delete(bet)
    const longs = group.filter(({ isLong }) => isLong).length
    findings.push({
      kind: 'rank-farming',
      accounts: registered(record, new Set(group.map(({ account }) => account))),
      lines: ascendingLines(group.flatMap(({ lines }) => lines)),
      sentence:
        `${group.length} accounts made one bet each on ${first.symbol} that are alike: ${longs} on a rise, ` +
        `${group.length - longs} on a fall, each of more than ${Math.floor(100 * MIN_BET)} % of the equity`,
    })
  }
  return findings
}

/** The only bet of a player, if it has one. */
function betOf({ players, fills, markets, samples, ...record }: SeasonRecord, player: number): readonly Bet[] {
  const { account = '' } = players[player] ?? {}
  const own = fills.filter(({ maker, taker }) => maker.account === account || taker.account === account)
  const [first] = own
  const market = markets.find(({ symbol }) => symbol === first?.symbol)
  const orders = new Set(own.map(({ maker, taker }) => (maker.account === account ? maker : taker).orderId))
  const equity = samples[0]?.equity[player] ?? 0n
  if (first === undefined || market === undefined || orders.size > MAX_TRADING_ORDERS || equity <= 0n) return []
  const buys = (fill: SeasonFill): boolean => (fill.taker.account === account) === (fill.takerSide === 'BUY')
  const lots = own.reduce((all, fill) => all + (buys(fill) ? fill.qty : -fill.qty), 0)
  const value = moneyOf(first.price, Math.abs(lots), market, { players, fills, markets, samples, ...record })
  const size = Number(value) / Number(equity)
  const lines = own.map(({ line }) => line)
  return size < MIN_BET ? [] : [{ account, symbol: market.symbol, time: first.time, isLong: lots > 0, size, lines }]
}

/** The largest group of bets like each other, with `first` as the earliest; undefined if it is no farm. */
function largestGroup({ start, end }: SeasonRecord, first: Bet, bets: readonly Bet[]): readonly Bet[] | undefined {
  const near = bets.filter(
    ({ symbol, time }) =>
      symbol === first.symbol && time >= first.time && time <= first.time + MAX_TIME * (end - start),
  )
  const groups = near.map(({ size: least }) => near.filter(({ size }) => size >= least && size <= MAX_RATIO * least))
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best), [])
  const longs = largest.filter(({ isLong }) => isLong).length
  const isBothWays = Math.min(longs, largest.length - longs) >= MIN_SIDE * largest.length
  return largest.length >= MIN_ACCOUNTS && isBothWays ? largest : undefined
}
