/**
 * Strategies of the soak: one that places, replaces and cancels all the time, and one that trades in brackets.
 *
 * Each quantity is used once, so that two orders of one intent are recognised by their terms.
 */
const HEAD = `import { defineStrategy } from 'papertape'
import { filter, map, merge } from 'rxjs'
import { z } from 'zod'
const params = z.object({ base: z.number().default(1000) })
const near = (price: number, share: number) => (price * (1 + share)).toFixed(2)
/** Acts on a trade, at most once in so many milliseconds. */
const acting = (c: any, symbol: string, pauseMs: number, act: (price: number) => any) => {
  let next = 0
  return c.trades(symbol).pipe(
    filter(() => c.now() >= next),
    map((trade: any) => { next = c.now() + pauseMs; return act(trade.priceNumber) }),
    filter((intent: any) => intent !== undefined),
  )
}
`

const CHURN = `const churn = (c: any) => {
  const symbol = 'BTC_USD'
  let count = 0
  const fresh = () => ((c.params.base + count++) / 1e5).toFixed(5)
  return acting(c, symbol, 1200, (price) => {
    const open = c.openOrders(symbol), choice = c.random(), isBuy = c.random() < 0.5, away = c.random() * 0.0008
    const [oldest] = open
    if (open.length > 5) return c.cancelAll(symbol)
    if (choice < 0.25 && oldest) return c.replace(oldest, { price: near(price, oldest.side === 'BUY' ? -away : away), qty: fresh() })
    if (choice < 0.4 && oldest) return c.cancel(oldest)
    if (choice < 0.55 && c.waitingOrders(symbol).length < 3) {
      const more = { expires: c.now() + 20_000 }
      return isBuy ? c.stopBuy(symbol, near(price, 0.0004), fresh(), more) : c.stopSell(symbol, near(price, -0.0004), fresh(), more)
    }
    // One of five is beyond the market and fills at once.
    const share = c.random() < 0.2 ? -0.0006 : away
    return isBuy ? c.buyLimit(symbol, near(price, -share), fresh()) : c.sellLimit(symbol, near(price, share), fresh())
  })
}
`

const GUARD = `const guard = (c: any) => {
  const symbol = 'ETH_USD'
  let count = 0
  return acting(c, symbol, 4000, (price) => {
    if (c.waitingOrders(symbol).length > 6 || c.openOrders(symbol).length > 4) return undefined
    const qty = ((c.params.base + count++) / 1e4).toFixed(4), choice = c.random()
    const entry = choice < 0.4 ? c.buyMarket(symbol, qty) : c.buyLimit(symbol, near(price, choice < 0.7 ? 0.0006 : -0.0003), qty)
    return c.bracket(entry, c.random() < 0.3 ? { trail: { distance: near(price, -0.9992) } } : { stop: near(price, -0.0012), target: near(price, 0.0012) })
  })
}
`

const strategy = (name: string, code: string, run: string): string =>
  `${HEAD}${code}export default defineStrategy({ name: '${name}', params, run: (c: any) => ${run} })\n`

/** Names of their directories of results. */
export const LIVE_OWNERS = ['churn', 'guard']

export const LIVE_STRATEGIES = [strategy('churn', CHURN, 'churn(c)'), strategy('guard', GUARD, 'guard(c)')]

/** `paper` runs one strategy. */
export const PAPER_STRATEGY = strategy('both', CHURN + GUARD, 'merge(churn(c), guard(c))')
