/**
 * Market maker: quotes a bid below and an ask above the mid price, and shifts both against its inventory.
 *
 * The mid price is that of the recorded best quotes, or else the last trade. Each round cancels quotes that are off,
 * waits for the replies, then places the missing ones: at most one order per side and four requests per round. It
 * earns the spread, and loses when the price runs through its quotes.
 */
import { Decimal, defineStrategy, type Intent, type Outcome, type OwnOrder } from 'papertape'
import { auditTime, concatMap, delay, exhaustMap, filter, ignoreElements, map, merge, of, startWith, take } from 'rxjs'
import { z } from 'zod'

/** A reply may arrive slightly before the balances and open orders that it changed. */
const SETTLE_MS = 500

export default defineStrategy({
  name: 'market-maker',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    halfSpreadBps: z.number().gt(0).max(1_000).default(10).describe('from the mid price to a quote, in basis points'),
    tolerance: z.number().min(0).max(1).default(0.25).describe('how far off a quote may be, in half spreads'),
    size: z.number().gt(0).max(1).default(0.05).describe('size of a quote, as a share of equity'),
    target: z.number().min(0).max(1).default(0.25).describe('target inventory, as a share of equity'),
    band: z.number().gt(0).max(1).default(0.25).describe('maximum deviation from the target, either way'),
    skew: z.number().min(0).max(1).default(0.5).describe('quote shift at the edge of the band, in half spreads'),
    roundSeconds: z.int().min(1).default(10).describe('length of a round; 9 or more stay within 30 requests a minute'),
  }),

  run: ({ params, market, quotes, trades, outcomes$, openOrders, balance, buyLimit, sellLimit, cancel, cancelAll }) => {
    const { symbol, halfSpreadBps, tolerance, size, target, band, skew, roundSeconds } = params
    const { hasQuotes, baseAsset, quoteAsset, affordableQty, qtyWorth, floorPrice, ceilPrice } = market(symbol)
    const held = (asset: string): Decimal => balance(asset).available.plus(balance(asset).locked)

    /** Quotes wanted around a mid price, sized in the quote asset; none on a side without funds or room in the band. */
    const wantedAround = (mid: Decimal) => {
      const [cash, worth] = [held(quoteAsset), held(baseAsset).times(mid)]
      const equity = cash.plus(worth)
      const excess = worth.toNumber() / equity.toNumber() - target
      const lean = skew * Math.max(-1, Math.min(1, excess / band))
      const bid = floorPrice(mid.times(1 - ((1 + lean) * halfSpreadBps) / 10_000))
      const ask = ceilPrice(mid.times(1 + ((1 - lean) * halfSpreadBps) / 10_000))
      const offer = equity.times(size)
      const toBuy = Decimal.min(offer, equity.times(target + band).minus(worth))
      const toSell = Decimal.min(offer, worth.minus(equity.times(Math.max(0, target - band))))
      return [
        { side: 'BUY', place: buyLimit, price: bid, qty: Decimal.min(qtyWorth(toBuy, mid), affordableQty(cash, bid)) },
        { side: 'SELL', place: sellLimit, price: ask, qty: qtyWorth(toSell, mid) },
      ].filter(({ qty }) => qty.gt(0))
    }

    const cancelWrong = (mid: Decimal): readonly Intent[] => {
      const wanted = new Map(wantedAround(mid).map(({ side, price }) => [side, price.toNumber()]))
      // A partly filled quote is replaced, too, in full size.
      const isRight = ({ side, price = mid, status }: OwnOrder): boolean =>
        status === 'OPEN' &&
        Math.abs(price.toNumber() / (wanted.get(side) ?? 0) - 1) * 10_000 <= tolerance * halfSpreadBps
      return openOrders(symbol).flatMap((order) => (isRight(order) ? [] : [cancel(order)]))
    }

    const placeMissing = (mid: Decimal): readonly Intent[] =>
      (openOrders(symbol).length < 2 ? wantedAround(mid) : [])
        .filter(({ side }) => !openOrders(symbol).some((order) => order.side === side))
        .map(({ place, price, qty }) => place(symbol, price, qty))

    // The quote may or may not exist: a new one could duplicate it.
    const isLost = ({ type, intent }: Outcome): boolean =>
      intent.type === 'limit' && (type === 'unknown' || type === 'ambiguous')

    /** Emits intents of one type and completes when each has a reply; an unknown outcome must be resolved first. */
    const sent = (all: readonly Intent[]) => {
      const answers$ = outcomes$.pipe(filter((each) => each.intent.type === all[0]?.type && !isLost(each)))
      return all.length === 0 ? [] : answers$.pipe(take(all.length), delay(SETTLE_MS), ignoreElements(), startWith(all))
    }

    const rounds$ = merge(hasQuotes ? quotes(symbol) : trades(symbol)).pipe(
      auditTime(roundSeconds * 1_000),
      map((update) => ('mid' in update ? update.mid : update.price)),
      filter((mid) => mid !== undefined),
      // A round that still waits for replies is not interrupted by the next.
      exhaustMap((mid) => of(cancelWrong, placeMissing).pipe(concatMap((step) => sent(step(mid))))),
    )
    const lost$ = outcomes$.pipe(filter(isLost))
    return merge(rounds$, lost$.pipe(map(() => cancelAll(symbol))))
  },
})
