/**
 * Where these tests meet the code: how a liquidity model is made from settings, and how the crowd's quote is read.
 */
import { invariant } from '../../../../src/domain/errors.ts'
import { EstimatedLiquidity } from '../../../../src/simulation/liquidity/estimated-liquidity.ts'
import type { LiquidityModel } from '../../../../src/simulation/liquidity/liquidity-model.ts'
import { liquidity } from '../../../../src/simulation/liquidity/liquidity-models.ts'
import type { SimulatedMarkets } from '../../../../src/simulation/simulated-markets.ts'
import type { Quote, SessionSettings } from './session.ts'

const TEN_MINUTES_MS = 600_000

/** As given, else 10 minutes, or two candles. */
export const staleAfterMs = ({ staleAfterMs: given, candleMs }: SessionSettings): number =>
  given ?? (candleMs === undefined ? TEN_MINUTES_MS : 2 * candleMs)

export function modelOf(settings: SessionSettings): LiquidityModel {
  const { model, queue, depth, spread, candleMs, heldPrice } = settings
  const made = liquidity(model).create({
    symbol: 'BTC_USD',
    recorded: candleMs === undefined ? 'trades' : 'candles',
    spread,
    terms: { queueClips: queue, depthClips: depth, staleAfterMs: staleAfterMs(settings) },
  })
  if (heldPrice !== undefined) {
    const ladder = made.ladder.bind(made)
    made.ladder = (taking) => ladder({ ...taking, heldPrice })
  }
  return made
}

export function quoteOf(simulated: SimulatedMarkets, symbol: string): Quote | undefined {
  const { model } = simulated.crowd(symbol)
  invariant(model instanceof EstimatedLiquidity, 'the models of these tests estimate')
  const { clip, step } = model.estimates
  const { quote, takerQuote } = model
  if (quote === undefined || takerQuote === undefined) return undefined
  return { ...quote, clip, step, takerBid: takerQuote.bid, takerAsk: takerQuote.ask }
}
