/**
 * Balances, portfolio and fills (section 4, Account).
 */
import { z } from 'zod'
import { balancesToJson, type BalancesJson } from '../../domain/balances.ts'
import { invariant } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { portfolioToJson } from '../../domain/portfolio.ts'
import { fillToJson, type Fill } from '../../domain/trade.ts'
import { tradesLimit, tradesLimitOf } from './market-routes.ts'
import { shown } from '../envelope/query-values.ts'
import { accountOf, type Call, type Route } from './route.ts'
import { balancesSchema, portfolioSchema, privateTradeSchema } from '../../wire/schemas.ts'
import { fillsText } from '../../wire/trade-text.ts'
import { ServiceError } from '../envelope/service-error.ts'

function balances(call: Call): BalancesJson {
  const { service, query } = call
  const all = balancesToJson(service.exchange.balances(accountOf(call)), service.exchange.scales)
  if (query.asset === undefined) return all
  if (!service.exchange.scales.has(query.asset))
    throw new ServiceError('ASSET_NOT_FOUND', `no asset '${shown(query.asset)}'`)
  return Object.fromEntries(Object.entries(all).filter(([asset]) => asset === query.asset))
}

const fillsOf = (call: Call): readonly Fill[] => call.service.exchange.fills(accountOf(call), tradesLimitOf(call.query))

function marketOf({ service }: Call, { trade }: Fill): MarketConfig {
  const market = service.market(trade.symbol)
  invariant(market !== undefined, 'a fill is of a market')
  return market
}

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/balances',
    operationId: 'getBalances',
    tag: 'Account',
    summary: 'available and locked amounts, by asset',
    access: 'ACCOUNT_READ',
    query: {
      asset: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'return only this asset, which must belong to a listed market', examples: ['USD'] }),
    },
    refusals: ['ASSET_NOT_FOUND'],
    status: 200,
    answer: balancesSchema,
    handle: balances,
  },
  {
    method: 'GET',
    path: '/portfolio',
    operationId: 'getPortfolio',
    tag: 'Account',
    summary: 'the value of the account at the last trades',
    access: 'ACCOUNT_READ',
    whenStopped: 'PORTFOLIO_UNAVAILABLE',
    status: 200,
    answer: portfolioSchema,
    handle: (call) => portfolioToJson(call.service.exchange.portfolio(accountOf(call), call.now)),
  },
  {
    method: 'GET',
    path: '/trades',
    operationId: 'listOwnTrades',
    tag: 'Account',
    summary: "the caller's fills, newest first",
    access: 'ORDER_READ',
    query: { limit: tradesLimit },
    status: 200,
    answer: z.array(privateTradeSchema),
    handle: (call) => fillsOf(call).map((fill) => fillToJson(fill, marketOf(call, fill))),
    handleAsText: (call) => fillsText(fillsOf(call), (fill) => marketOf(call, fill)),
  },
]
