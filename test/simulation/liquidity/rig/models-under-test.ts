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

/** As given, else 10 minutes. */
export const staleAfterMs = ({ staleAfterMs: given }: SessionSettings): number => given ?? TEN_MINUTES_MS

export function modelOf(settings: SessionSettings): LiquidityModel {
  const { model, queue, depth, spread, heldPrice } = settings
  const made = liquidity(model).create({
    symbol: 'BTC_USD',
    spread,
    terms: { queueSize: queue, levelSize: depth, staleAfterMs: staleAfterMs(settings) },
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
  const { averageTrade: clip, step } = model.estimates
  const { quote, takerQuote } = model
  if (quote === undefined || takerQuote === undefined) return undefined
  return { ...quote, clip, step, takerBid: takerQuote.bid, takerAsk: takerQuote.ask }
}
