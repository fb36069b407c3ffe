/**
 * Grid: buys at fixed price lines around the first close, and sells each purchase one line higher.
 *
 * A cell is the space between two lines. An empty cell buys at its lower line, a full one sells at its upper line,
 * always the same quantity. Holdings at the start fill cells above the price. A cell has at most one order, and orders
 * are never cancelled: the grid does not move, and waits if the price leaves it. A cell whose order was refused waits
 * until an order fills or the price moves by a step. A step must earn more than the fees of a buy and a sell.
 */
import { cancelAll, CANDLE_LENGTH_NAMES, defineStrategy } from 'papertape'
import type { Decimal, Intent, Outcome, OwnOrder } from 'papertape'
import { auditTime, concat, map, merge, of, skipWhile, Subject, switchMap, take, takeWhile, tap } from 'rxjs'
import { z } from 'zod'

/** Time between two orders: 24 per minute, below the service's limit of 30. */
const PACE_MS = 2_500

/** @param held  holdings at the start, in quantities of a cell */
const cellOf = (level: number, line: (level: number) => Decimal, held: Decimal) => {
  const isFull = level >= 0 && held.gte(level + 1)
  return { tag: String(level), buyPrice: line(level), sellPrice: line(level + 1), isFull, isBusy: false }
}

export default defineStrategy({
  name: 'grid',

  params: z
    .object({
      symbol: z.string().describe('market to trade'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('1m').describe('length of the candles whose closes are the price'),
      levels: z.int().min(1).max(500).default(10).describe('cells below the first price, and the same number above'),
      stepBps: z.number().gt(0).default(20).describe('distance between lines, in basis points of the first price'),
      share: z.number().gt(0).max(1).default(0.9).describe('share of equity that the grid may use'),
    })
    .refine(({ levels, stepBps }) => levels * stepBps < 10_000, 'expected a lowest line above zero'),

  run: ({ params, market, candles, orders$, outcomes$, balances$, balance, openOrders, buyLimit, sellLimit }) => {
    const { symbol, interval, levels, stepBps, share } = params
    const { baseAsset, quoteAsset, affordableQty, ceilPrice } = market(symbol)
    const available = (asset: string): Decimal => balance(asset).available
    const close$ = candles(symbol, interval).pipe(map(({ close }) => close))

    const gridAround = (first: Decimal) => {
      let last = first
      const price$ = close$.pipe(tap((close) => (last = close)))
      const [sent$, refusedAt] = [new Subject<void>(), new Map<string, Decimal>()]
      const step = ceilPrice(first.times(stepBps / 10_000))
      const line = (level: number): Decimal => first.plus(step.times(level))
      const held = available(baseAsset)
      const equity = available(quoteAsset).plus(held.times(first))
      const qty = affordableQty(equity.times(share).div(2 * levels), line(levels))
      if (qty.isZero()) throw new Error(`not enough money for a lot in each of ${2 * levels} cells`)
      const cells = Array.from({ length: 2 * levels }, (_, index) => cellOf(index - levels, line, held.divToInt(qty)))

      const onOrder = ({ status, side, tag }: OwnOrder): void => {
        const cell = cells.find((each) => each.tag === tag)
        if (cell === undefined || (status !== 'FILLED' && status !== 'CANCELLED')) return
        cell.isBusy = false
        refusedAt.clear()
        if (status === 'FILLED') cell.isFull = side === 'BUY'
      }
      /** A failed order frees its cell. One with an unknown outcome does not: it might be placed twice. */
      const onOutcome = ({ type, intent }: Outcome): void => {
        const cell = cells.find(({ tag }) => intent.type === 'limit' && tag === intent.tag)
        if ((type === 'refused' || type === 'absent') && cell !== undefined) cell.isBusy = false
        if (type === 'refused' && cell !== undefined) refusedAt.set(cell.tag, last)
      }

      const nextOrder = (): readonly Intent[] => {
        const idle = cells.filter(({ isBusy, tag }) => !isBusy && !refusedAt.get(tag)?.minus(last).abs().lt(step))
        // Prevents self-trades: every buy price stays below every sell price.
        const highestBuy = cells.findLast(({ isBusy, isFull }) => isBusy && !isFull)?.buyPrice ?? 0
        const lowestFull = cells.find(({ isFull }) => isFull)?.buyPrice ?? last
        const isBuyable = (price: Decimal): boolean =>
          price.lt(last) && price.lt(lowestFull) && affordableQty(available(quoteAsset), price).gte(qty)
        const toSell = idle.find(({ isFull, sellPrice }) => isFull && sellPrice.gt(highestBuy))
        const cell = toSell ?? idle.findLast(({ buyPrice }) => isBuyable(buyPrice))
        if (cell === undefined) return []
        cell.isBusy = true
        // Schedules the next order without waiting for this reply.
        sent$.next()
        const { tag, isFull, buyPrice, sellPrice } = cell
        return [isFull ? sellLimit(symbol, sellPrice, qty, { tag }) : buyLimit(symbol, buyPrice, qty, { tag })]
      }

      const news$ = merge(price$, sent$, orders$.pipe(tap(onOrder)), outcomes$.pipe(tap(onOutcome)), balances$)
      return news$.pipe(auditTime(PACE_MS), map(nextOrder))
    }
    // Cancels orders of an earlier session first, which could trade with ours: a warm-up sends no cancel.
    const hasOrders = (): boolean => openOrders(symbol).length > 0
    const clear = (): Intent => cancelAll(symbol)
    const cleared$ = concat(of(0), close$).pipe(takeWhile(hasOrders), map(clear))
    return merge(cleared$, close$.pipe(skipWhile(hasOrders), take(1), switchMap(gridAround)))
  },
})
