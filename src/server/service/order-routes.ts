/**
 * Orders (section 4, Orders).
 */
import { z } from 'zod'
import { invariant } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { decodeOrderRequest } from '../../domain/order-request.ts'
import {
  ORDER_STATUSES,
  orderIdOf,
  orderToJson,
  type Order,
  type OrderJson,
  type OrderRequest,
} from '../../domain/order.ts'
import { orderText, ordersText } from '../../wire/order-text.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { choiceOf, integerOf, shown } from '../envelope/query-values.ts'
import { accountOf, type Call, type Route } from './route.ts'
import { orderRequestSchema, orderSchema, orderStatusSchema } from '../../wire/schemas.ts'
import { ServiceError } from '../envelope/service-error.ts'
import type { Service } from './service.ts'

/** Decision 5. */
const DEFAULT_ORDERS = 50
const MAX_ORDERS = 500

function marketOf(service: Service, { symbol }: Order): MarketConfig {
  const market = service.market(symbol)
  invariant(market !== undefined, 'an order is of a market')
  return market
}

const jsonOf = (service: Service, order: Order): OrderJson => orderToJson(order, marketOf(service, order))

const textOf = (service: Service, order: Order): string => orderText(order, marketOf(service, order))

/** A route that answers with one order. */
const ofOrder = (orderOf: (call: Call) => Order): Pick<Route, 'handle' | 'handleAsText'> => ({
  handle: (call) => jsonOf(call.service, orderOf(call)),
  handleAsText: (call) => textOf(call.service, orderOf(call)),
})

/** A route that answers with a list of orders. */
const ofOrders = (ordersOf: (call: Call) => readonly Order[]): Pick<Route, 'handle' | 'handleAsText'> => ({
  handle: (call) => ordersOf(call).map((order) => jsonOf(call.service, order)),
  handleAsText: (call) => ordersText(ordersOf(call), (order) => marketOf(call.service, order)),
})

const errorOf = ({ code, message, details }: Refusal): ServiceError => new ServiceError(code, message, { details })

function refusalIn(events: readonly ExchangeEvent[]): Refusal | undefined {
  const [first] = events
  return first?.type === 'order-refused' || first?.type === 'cancel-refused' ? first.refusal : undefined
}

function requestOf({ service, body }: Call): OrderRequest {
  const decoded = decodeOrderRequest(body, (symbol) => service.market(symbol))
  if (!decoded.ok) throw errorOf(decoded.refusal)
  return decoded.request
}

function create(call: Call): Order {
  const { service, now } = call
  const account = accountOf(call)
  const events = service.execute({ type: 'place', time: now, account, request: requestOf(call) })
  const refusal = refusalIn(events)
  if (refusal !== undefined) throw errorOf(refusal)
  return lastStateOf(events)
}

/** The order after everything that its creation did. */
function lastStateOf(events: readonly ExchangeEvent[]): Order {
  const [accepted] = events
  const last = events.at(-1)
  invariant(accepted?.type === 'order-accepted', 'an order that is not refused is accepted')
  if (last?.type === 'traded') return last.taker
  return last?.type === 'order-cancelled' ? last.order : accepted.order
}

function cancel(call: Call): Order {
  const { service, now } = call
  const account = accountOf(call)
  const orderId = orderIdOf(call.params.orderId ?? '')
  const events = service.execute({ type: 'cancel', time: now, account, orderId })
  const refusal = refusalIn(events)
  if (refusal !== undefined) throw refusal.code === 'ORDER_NOT_FOUND' ? notFound() : errorOf(refusal)
  const [cancelled] = events
  invariant(cancelled?.type === 'order-cancelled', 'a cancel that is not refused cancels')
  return cancelled.order
}

/** Same message for an unknown order and for one of another user (decision 6). */
const notFound = (): ServiceError => new ServiceError('ORDER_NOT_FOUND', 'no such order')

function read(call: Call): Order {
  const order = call.service.exchange.order(accountOf(call), orderIdOf(call.params.orderId ?? ''))
  if (order === undefined) throw notFound()
  return order
}

function list(call: Call): readonly Order[] {
  const { service, query } = call
  const { symbol } = query
  const status = choiceOf('status', query.status, ORDER_STATUSES)
  const limit = integerOf('limit', query.limit, 1, Number.POSITIVE_INFINITY) ?? DEFAULT_ORDERS
  const page = integerOf('page', query.page, 1, Number.MAX_SAFE_INTEGER) ?? 1
  // Shape before market (decision 20).
  if (symbol !== undefined && service.market(symbol) === undefined) {
    throw new ServiceError('MARKET_NOT_FOUND', `no market '${shown(symbol)}'`)
  }
  return service.exchange.orders(accountOf(call), {
    ...(symbol === undefined ? {} : { symbol }),
    ...(status === undefined ? {} : { status }),
    limit: Math.min(limit, MAX_ORDERS),
    page,
  })
}

export const ORDER_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/orders',
    operationId: 'createOrder',
    tag: 'Orders',
    summary: 'creates an order; returns its state after matching',
    access: 'ORDER_CREATE',
    isMutation: true,
    body: orderRequestSchema,
    refusals: ['MARKET_NOT_FOUND', 'INSUFFICIENT_BALANCE', 'NO_LIQUIDITY', 'ORDER_REJECTED'],
    status: 201,
    answer: orderSchema,
    check: requestOf,
    ...ofOrder(create),
  },
  {
    method: 'GET',
    path: '/orders',
    operationId: 'listOrders',
    tag: 'Orders',
    summary: 'orders, newest first',
    access: 'ORDER_READ',
    query: {
      symbol: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'only orders of this market', examples: ['BTC_USD'] }),
      status: orderStatusSchema.optional().meta({ description: 'only orders in this state' }),
      limit: z
        .int()
        .min(1)
        .default(DEFAULT_ORDERS)
        // Without the maximum that an integer of ours has: whatever is more is served.
        .meta({
          description: `maximum number of orders per page; more than ${MAX_ORDERS} is treated as ${MAX_ORDERS}`,
          maximum: undefined,
        }),
      page: z.int().min(1).default(1).meta({ description: 'one-based' }),
    },
    refusals: ['MARKET_NOT_FOUND'],
    status: 200,
    answer: z.array(orderSchema),
    ...ofOrders(list),
  },
  {
    method: 'GET',
    path: '/orders/open',
    operationId: 'listOpenOrders',
    tag: 'Orders',
    summary: 'every open order, newest first',
    access: 'ORDER_READ',
    status: 200,
    answer: z.array(orderSchema),
    ...ofOrders((call) => call.service.exchange.openOrders(accountOf(call))),
  },
  {
    method: 'GET',
    path: '/orders/{orderId}',
    operationId: 'getOrder',
    tag: 'Orders',
    summary: 'one order',
    access: 'ORDER_READ',
    refusals: ['ORDER_NOT_FOUND'],
    status: 200,
    answer: orderSchema,
    ...ofOrder(read),
  },
  {
    method: 'DELETE',
    path: '/orders/{orderId}',
    operationId: 'cancelOrder',
    tag: 'Orders',
    summary: 'cancels the open remainder of an order',
    access: 'ORDER_CANCEL',
    isMutation: true,
    refusals: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
    status: 200,
    answer: orderSchema,
    ...ofOrder(cancel),
  },
]
