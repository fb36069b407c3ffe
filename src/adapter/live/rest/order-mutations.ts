/**
 * Order creations and cancels over a transport, with their outcomes.
 *
 * Invariant: a creation is a single POST, never retried. A cancel is retried after transient faults, which is safe
 * (section 7).
 */
import { ExchangeError } from '../../../domain/errors.ts'
import { formatUnits } from '../../../domain/fixed-point.ts'
import type { Market } from '../../../domain/market.ts'
import { isOpen, type OrderRequest } from '../../../domain/order.ts'
import type { MarketOf } from '../../../wire/read-market.ts'
import { readOneOrder, type WireOrder } from '../../../wire/wire-order.ts'
import {
  CANCEL_REFUSALS,
  CREATE_REFUSALS,
  isSuccess,
  isWebPage,
  isWorthRepeating,
  outcomeText,
  refusalOf,
  requestText,
} from './answer-meaning.ts'
import type { ClientBudget } from './client-budget.ts'
import { pathPart, type RestAnswer, type RestTransport } from './rest-transport.ts'
import type { RetryWaits } from './retry-waits.ts'
import type { CancelAnswer, CreateAnswer } from './service-calls.ts'

/** Longest wait until the budget is checked again: its prediction may change. */
const RECHECK_MS = 1_000

export interface OrderMutationsOptions {
  readonly transport: RestTransport
  readonly budget: ClientBudget
  readonly backoff: RetryWaits
  readonly marketOf: MarketOf
}

export class OrderMutations {
  readonly #options: OrderMutationsOptions
  #isClosed = false

  constructor(options: OrderMutationsOptions) {
    this.#options = options
  }

  async create(request: OrderRequest): Promise<CreateAnswer> {
    const { transport, budget, marketOf } = this.#options
    const market = marketOf(request.symbol)
    if (market === undefined) {
      budget.giveBackMutation('entry')
      return { type: 'refused', refusal: { code: 'MARKET_NOT_FOUND', message: `no market '${request.symbol}'` } }
    }
    const body = JSON.stringify(orderBody(request, market))
    const answer = await transport.send({ method: 'POST', path: '/orders', body, isKeyed: true })
    budget.onAnswer('create', answer)
    const refusal = refusalOf(answer, CREATE_REFUSALS)
    if (refusal !== undefined) return { type: 'refused', refusal }
    if (answer.type !== 'answer' || answer.status !== 201) return { type: 'unknown', reason: outcomeText(answer) }
    const order = this.#orderOf(answer)
    const fault = order instanceof ExchangeError ? order.message : differenceOf(request, order)
    if (order instanceof ExchangeError || fault !== undefined) {
      return { type: 'unknown', reason: `answered with 201, but ${fault ?? 'no order'}${requestText(answer)}` }
    }
    return { type: 'created', order }
  }

  async cancel(orderId: string): Promise<CancelAnswer> {
    const { backoff, transport, budget } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      const answer = await transport.send({ method: 'DELETE', path: `/orders/${pathPart(orderId)}`, isKeyed: true })
      budget.onAnswer('cancel', answer)
      const meaning = this.#cancelMeaning(orderId, answer)
      const isLast = attempt >= backoff.attempts || this.#isClosed
      const isTaken = answer.type === 'answer' && isSuccess(answer.status) && !isWebPage(answer)
      if (isLast || isTaken || !isWorthRepeating(answer)) return meaning
      await backoff.wait(attempt)
      if (!(await this.#takeCancel())) return meaning
    }
  }

  /** Ends cancels that wait for a retry with their last outcome. */
  close(): void {
    this.#isClosed = true
  }

  /** A rate-limited cancel was not executed, and is retried as after a fault. */
  #cancelMeaning(orderId: string, answer: RestAnswer): CancelAnswer {
    const refusal = refusalOf(answer, CANCEL_REFUSALS)
    if (refusal !== undefined) return { type: 'refused', refusal }
    const isTaken = answer.type === 'answer' && [200, 204].includes(answer.status) && !isWebPage(answer)
    if (!isTaken) {
      return { type: 'unknown', reason: outcomeText(answer) }
    }
    const order = this.#orderOf(answer)
    const isReported = !(order instanceof ExchangeError) && order.id === orderId && isOver(order)
    return { type: 'cancelled', order: isReported ? order : undefined }
  }

  async #takeCancel(): Promise<boolean> {
    const { budget, backoff } = this.#options
    while (!this.#isClosed) {
      if (budget.takeMutation('cancel')) return true
      await backoff.pause(Math.min(RECHECK_MS, budget.mutationAllowedInMs('cancel')))
    }
    return false
  }

  #orderOf(answer: RestAnswer & { type: 'answer' }): WireOrder | ExchangeError {
    try {
      return readOneOrder(answer.body, this.#options.marketOf)
    } catch (error) {
      if (error instanceof ExchangeError) return error
      throw error
    }
  }
}

/** Decision 8: a market order never rests, whatever its status says. */
const isOver = (order: WireOrder): boolean => order.type === 'MARKET' || !isOpen(order.status)

function orderBody(request: OrderRequest, { pricePrecision, qtyPrecision }: Market): Readonly<Record<string, string>> {
  const { symbol, side, type, qty } = request
  return {
    symbol,
    side,
    type,
    ...(request.type === 'LIMIT' && { price: formatUnits(request.price, pricePrecision) }),
    qty: formatUnits(qty, qtyPrecision),
  }
}

/** The first difference between an order and its request; undefined if they match. */
function differenceOf(request: OrderRequest, order: WireOrder): string | undefined {
  const asked = { ...request, price: request.type === 'LIMIT' ? request.price : undefined }
  const field = (['symbol', 'side', 'type', 'price', 'qty'] as const).find((name) => asked[name] !== order[name])
  return field === undefined ? undefined : `the order's ${field} differs from the request`
}
