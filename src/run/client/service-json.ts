/** Answers of a service that were read in exact numbers, in the form of the specification again. */
import { formatUnits } from '../../domain/fixed-point.ts'
import type { Market } from '../../domain/market.ts'
import type { OrderJson } from '../../domain/order.ts'
import type { PortfolioJson } from '../../domain/portfolio.ts'
import { isoTime } from '../../domain/time.ts'
import { type FillJson, tradeToJson } from '../../domain/trade.ts'
import type { WireOrder } from '../../wire/wire-order.ts'
import type { WirePortfolio } from '../../wire/wire-portfolio.ts'
import type { WireFill } from '../../wire/wire-trade.ts'

export function orderJson(order: WireOrder, { pricePrecision, qtyPrecision }: Market): OrderJson {
  const { price, averagePrice, qty, filledQty, createdAt, ...same } = order
  return {
    ...same,
    ...(price !== undefined && { price: formatUnits(price, pricePrecision) }),
    qty: formatUnits(qty, qtyPrecision),
    filledQty: formatUnits(filledQty, qtyPrecision),
    ...(averagePrice !== undefined && { averagePrice }),
    createdAt: isoTime(createdAt),
  }
}

export const fillJson = (fill: WireFill, market: Market): FillJson => ({
  ...tradeToJson(fill, market),
  ...{ side: fill.side, orderId: fill.orderId, isMaker: fill.isMaker },
})

export const portfolioJson = (portfolio: WirePortfolio): PortfolioJson => ({
  ...portfolio,
  baselineAt: isoTime(portfolio.baselineAt),
  asOf: isoTime(portfolio.asOf),
})
