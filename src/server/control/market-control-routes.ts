/** The markets of an emulator: paused, so that no order is accepted, and resumed. */
import { z } from 'zod'
import { shapeOf } from '../envelope/body-shape.ts'
import { fieldError } from '../envelope/service-error.ts'
import type { Call, Route } from '../service/route.ts'
import { marketOf } from './book-routes.ts'

/** A market, and whether it accepts orders. */
export interface MarketStateJson {
  /** Symbol such as `BTC_USD`. */
  readonly symbol: string
  /** True if orders are refused; cancels and reads go on. */
  readonly paused: boolean
  /** Why it is paused; absent for an open market. */
  readonly reason?: string
}

const LONGEST_REASON = 200
const pauseRequest = z.strictObject({
  reason: z
    .string()
    .min(1)
    .max(LONGEST_REASON)
    .default('by its operator')
    .meta({ description: 'part of the message with which orders are refused' }),
})
const marketState = z
  .strictObject({ symbol: z.string(), paused: z.boolean(), reason: z.string().optional() })
  .meta({ id: 'MarketState' })

function stateOf(symbol: string, { service: { pauses } }: Call): MarketStateJson {
  const reason = pauses.reasonOf(symbol)
  return reason === undefined ? { symbol, paused: false } : { symbol, paused: true, reason }
}

/** Symbol of a market whose pauses are its operator's. */
function ownSymbolOf(call: Call): string {
  const { symbol } = marketOf(call)
  if (!call.service.simulated.market(symbol).isRecorded) return symbol
  throw fieldError('symbol', `${symbol} follows recorded trades or a live service, which decide when it is paused`)
}

/** @throws {ServiceError} for an unknown market, one that follows a recording, or a wrong reason */
export function pause(call: Call): MarketStateJson {
  const symbol = ownSymbolOf(call)
  const { reason } = shapeOf(pauseRequest, call.body)
  call.service.pauses.pause(symbol, reason)
  return stateOf(symbol, call)
}

/** @throws {ServiceError} for an unknown market, or one that follows a recording */
export function resume(call: Call): MarketStateJson {
  const symbol = ownSymbolOf(call)
  call.service.pauses.resume(symbol)
  return stateOf(symbol, call)
}

export const MARKET_CONTROL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/markets',
    operationId: 'listMarketStates',
    tag: 'Pauses',
    summary: 'every market, and whether it is paused',
    access: 'emulator',
    status: 200,
    answer: z.array(marketState),
    handle: (call) => call.service.exchange.markets.map(({ symbol }) => stateOf(symbol, call)),
  },
  {
    method: 'POST',
    path: '/markets/{symbol}/pause',
    operationId: 'pauseMarket',
    tag: 'Pauses',
    summary: 'pauses a market: orders are refused with ORDER_REJECTED and the reason; cancels and reads go on',
    access: 'emulator',
    body: pauseRequest,
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: marketState,
    handle: pause,
  },
  {
    method: 'DELETE',
    path: '/markets/{symbol}/pause',
    operationId: 'resumeMarket',
    tag: 'Pauses',
    summary: 'resumes a paused market',
    access: 'emulator',
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: marketState,
    handle: resume,
  },
]
