/**
 * Balances of the naive exchange: nothing is booked; what an account has is summed over all credits and trades ever.
 */
import type { AuditLine } from '../../src/domain/audit.ts'
import type { Balance, Balances } from '../../src/domain/balances.ts'
import { liveOrders } from './naive-state.ts'
import type { NaiveState, NaiveTrade } from './naive-state.ts'
import { notionalOf, reservationOf, sum } from './naive-order.ts'
import type { NaiveOrder } from './naive-order.ts'

/** What one trade did to the account's holding of the asset; both sides of a self-trade count. */
function movement({ trade, market, buyerFee, sellerFee }: NaiveTrade, account: string, asset: string): bigint {
  const { baseAsset, quoteAsset } = market.config
  const base = market.baseUnits(trade.qty)
  const quote = market.quoteUnits(notionalOf(trade.price, trade.qty))
  let moved = 0n
  if (trade.buyerId === account && asset === baseAsset) moved += base
  if (trade.buyerId === account && asset === quoteAsset) moved -= quote + buyerFee
  if (trade.sellerId === account && asset === baseAsset) moved -= base
  if (trade.sellerId === account && asset === quoteAsset) moved += quote - sellerFee
  return moved
}

function totalOf(state: NaiveState, account: string, asset: string): bigint {
  const credits = state.credits.filter((credit) => credit.account === account && credit.asset === asset)
  const traded = state.trades.map((trade) => movement(trade, account, asset))
  return sum(credits.map((credit) => credit.amount)) + sum(traded)
}

const reservedAsset = ({ request, market }: NaiveOrder): string =>
  request.side === 'BUY' ? market.config.quoteAsset : market.config.baseAsset

export function balanceOf(state: NaiveState, account: string, asset: string): Balance {
  const holding = liveOrders(state).filter((order) => order.account === account && reservedAsset(order) === asset)
  const locked = sum(holding.map(reservationOf))
  return { available: totalOf(state, account, asset) - locked, locked }
}

export const balancesOf = (state: NaiveState, account: string): Balances =>
  new Map([...state.scales.keys()].map((asset) => [asset, balanceOf(state, account, asset)]))

export function auditOf(state: NaiveState): readonly AuditLine[] {
  const traders = state.trades.flatMap(({ trade }) => [trade.buyerId, trade.sellerId])
  const accounts = [...new Set([...state.credits.map((credit) => credit.account), ...traders])]
  return [...state.scales].map(([asset, scale]) => {
    const credits = state.credits.filter((credit) => credit.asset === asset)
    const charged = state.trades.filter(({ market }) => market.config.quoteAsset === asset)
    return {
      asset,
      scale,
      credited: sum(credits.map((credit) => credit.amount)),
      held: sum(accounts.map((account) => totalOf(state, account, asset))),
      fees: sum(charged.map(({ buyerFee, sellerFee }) => buyerFee + sellerFee)),
      // What is locked is worked out of the orders, and is never anything else.
      misreserved: 0n,
    }
  })
}
