/**
 * An account of a service for its owner, next to any session: reads, and cancels by id. It creates no orders.
 *
 * Decimals are text, exactly as the market has them; times are Unix milliseconds.
 */
import { MACHINE_CLOCKS, machineRandom } from '../adapter/live/machine-clocks.ts'
import { proxyFor } from '../adapter/live/network/proxy.ts'
import { ClientBudget } from '../adapter/live/rest/client-budget.ts'
import { MutationQueue } from '../adapter/live/rest/mutation-queue.ts'
import type { CancelAnswer } from '../adapter/live/rest/service-calls.ts'
import { ServiceClient } from '../adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../adapter/live/rest/undici-transport.ts'
import { formatUnits } from '../domain/fixed-point.ts'
import { InputError, InvariantError } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { thrownText } from '../domain/thrown-text.ts'
import { LiveLoop } from '../runtime/live/live-loop.ts'
import { DEFAULT_TIMEOUT_MS } from '../runtime/settings/live-settings.ts'
import type { WireOrder } from '../wire/wire-order.ts'
import type { WirePortfolio } from '../wire/wire-portfolio.ts'
import type { WireFill } from '../wire/wire-trade.ts'

/** Rows of the longest page of orders and fills (decision 7). */
export const MAX_ROWS = 500

export type AccountOrder = Omit<WireOrder, 'userId' | 'price' | 'qty' | 'filledQty' | 'averagePrice'> & {
  /** Limit orders only. */
  readonly price: string | undefined
  readonly qty: string
  readonly filledQty: string
  readonly averagePrice: string | undefined
}

export type AccountFill = Pick<WireFill, 'id' | 'orderId' | 'symbol' | 'side' | 'isMaker' | 'createdAt'> & {
  readonly price: string
  readonly qty: string
}

export type CancelOutcome = { readonly orderId: string } & (
  | { readonly type: 'cancelled'; readonly order: AccountOrder | undefined }
  | Exclude<CancelAnswer, { readonly type: 'cancelled' }>
)

export type AccountPortfolio = WirePortfolio

export interface AccountAccess {
  portfolio(): Promise<AccountPortfolio>
  openOrders(symbol: string | undefined): Promise<readonly AccountOrder[]>
  /** Newest first, of one market. @param count  at most 500 */
  orders(symbol: string, count: number): Promise<readonly AccountOrder[]>
  /** Newest first. @param count  at most 500 */
  fills(count: number): Promise<readonly AccountFill[]>
  /** Waits for the rate limit of the key. */
  cancel(orderId: string): Promise<CancelOutcome>
}

export interface AccountAccessOptions {
  /** Base URL of the service. */
  readonly url: string
  /** Never printed. */
  readonly apiKey: string
  readonly onWarning: (text: string) => void
}

/**
 * Opens an account, and closes it when `use` has ended.
 *
 * @throws {InputError} for a market that is not listed
 * @throws {ExchangeError} if the service or the account cannot be read
 */
export async function withAccount<T>(
  { url, apiKey, onWarning }: AccountAccessOptions,
  use: (account: AccountAccess) => Promise<T>,
): Promise<T> {
  const time = new LiveLoop(MACHINE_CLOCKS, {
    onJump: () => undefined,
    onSetBack: () => undefined,
    onError: (error) => {
      throw new InvariantError(thrownText(error), { cause: error })
    },
  })
  const transport = new UndiciTransport({ url, apiKey, timeoutMs: DEFAULT_TIMEOUT_MS, proxy: proxyFor(url) })
  const budget = new ClientBudget({ time })
  const client = new ServiceClient({ transport, budget, time, random: machineRandom, onWarning })
  const gate = new MutationQueue({ time, budget })
  try {
    return await use(accessTo({ client, gate, onWarning }, await client.markets()))
  } finally {
    client.close()
    gate.close()
    budget.close()
    time.stop()
    await transport.close()
  }
}

type MarketOf = (symbol: string) => Market

interface Opened {
  readonly client: ServiceClient
  readonly gate: MutationQueue
  readonly onWarning: (text: string) => void
}

function accessTo({ client, gate, onWarning }: Opened, markets: readonly Market[]): AccountAccess {
  let isWaitReported = false
  const bySymbol = new Map(markets.map((market) => [market.symbol, market]))
  const marketOf: MarketOf = (symbol) => {
    const market = bySymbol.get(symbol)
    if (market !== undefined) return market
    const known = [...bySymbol.keys()].join(', ')
    throw new InputError('--symbol', `the service lists no market '${symbol}', only ${known}`)
  }
  return {
    portfolio: () => client.portfolio('poll'),
    openOrders: async (symbol) => {
      const wanted = symbol === undefined ? undefined : marketOf(symbol).symbol
      const orders = await client.openOrders('poll')
      return orders
        .filter((order) => wanted === undefined || order.symbol === wanted)
        .map((order) => orderOf(order, marketOf))
    },
    orders: async (symbol, count) => {
      const { orders } = await client.orders({ symbol: marketOf(symbol).symbol, limit: count, page: 1 }, 'poll')
      return orders.map((order) => orderOf(order, marketOf))
    },
    fills: async (count) => (await client.fills(count, 'poll')).map((fill) => fillOf(fill, marketOf)),
    cancel: async (orderId) => {
      const sent = room(gate)
      if (gate.waiting > 0 && !isWaitReported) {
        isWaitReported = true
        onWarning('the rate limit of the key is used up: the other cancels wait, for up to a minute')
      }
      await sent
      const answer = await client.cancel(orderId)
      if (answer.type !== 'cancelled') return { orderId, ...answer }
      return { orderId, type: 'cancelled', order: answer.order && orderOf(answer.order, marketOf) }
    },
  }
}

/** Resolves when the rate limit has room for a cancel, which is then reserved. */
const room = (gate: MutationQueue): Promise<void> =>
  new Promise((resolve, reject) => {
    gate.submit({
      urgency: 'cancel',
      onLimit: 'wait',
      send: () => {
        resolve()
        return true
      },
      refuse: () => {
        reject(new InvariantError('the account was closed while a cancel waited'))
      },
    })
  })

function orderOf({ id, symbol, side, type, status, createdAt, ...order }: WireOrder, marketOf: MarketOf): AccountOrder {
  const { pricePrecision, qtyPrecision } = marketOf(symbol)
  const { price, averagePrice } = order
  return {
    ...{ id, symbol, side, type, status },
    price: price === undefined ? undefined : formatUnits(price, pricePrecision),
    qty: formatUnits(order.qty, qtyPrecision),
    filledQty: formatUnits(order.filledQty, qtyPrecision),
    ...{ averagePrice, createdAt },
  }
}

function fillOf({ id, orderId, symbol, side, isMaker, createdAt, ...fill }: WireFill, marketOf: MarketOf): AccountFill {
  const { pricePrecision, qtyPrecision } = marketOf(symbol)
  const amounts = { price: formatUnits(fill.price, pricePrecision), qty: formatUnits(fill.qty, qtyPrecision) }
  return { id, orderId, symbol, side, ...amounts, isMaker, createdAt }
}
