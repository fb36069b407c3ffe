/**
 * Profit of a policy, measured at the fair price of the walk: how many standard errors its mean is from zero.
 *
 * What is held counts at the fair price, which is a martingale, so that holding is worth nothing and marking flatters
 * no one.
 */
import { statisticOf } from './t-statistic.ts'
import type { PolicyFill } from './policy.ts'
import { WALK_PRICE, type DriftlessWalk } from './driftless-walk.ts'

/** Candles of a round: profits of rounds are the sample. */
const ROUND = 10

/** @returns  standard errors from zero; 0 for a policy that was never filled */
export function profitT(fills: readonly PolicyFill[], { fair }: DriftlessWalk): number {
  return statisticOf(roundProfits(fills, fair))
}

/** Profit of each round, in ticks times lots. */
export function roundProfits(fills: readonly PolicyFill[], fair: readonly number[]): readonly number[] {
  const profits: number[] = []
  let [position, cash, before, next] = [0, 0, 0, 0]
  for (let end = ROUND; end <= fair.length; end += ROUND) {
    for (let fill = fills[next]; fill !== undefined && fill.candle < end; fill = fills[next]) {
      const lots = fill.side === 'BUY' ? fill.qty : -fill.qty
      position += lots
      cash -= lots * (fill.price - WALK_PRICE)
      next += 1
    }
    const equity = cash + position * ((fair[end - 1] ?? Number.NaN) - WALK_PRICE)
    profits.push(equity - before)
    before = equity
  }
  return profits
}

/** Standard errors of what the fills of a candle are worth at its end, for who holds no longer than that. */
export function candleProfitT(fills: readonly PolicyFill[], { fair }: DriftlessWalk): number {
  const profits = fair.map(() => 0)
  for (const { candle, side, price, qty } of fills) {
    const gain = qty * ((fair[candle] ?? Number.NaN) - price)
    profits[candle] = (profits[candle] ?? 0) + (side === 'BUY' ? gain : -gain)
  }
  return statisticOf(profits)
}
