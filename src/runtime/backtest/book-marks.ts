/** Marks for markets without recorded trades: the mid price of the recorded book, in whole ticks, whenever it moves. */
import type { RecordedBook } from '../../tape/book/recorded-book.ts'
import type { MarketListener } from '../../simulation/recorded-market.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { AccountFigures } from '../figures/account-figures.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'

/** @param figures  which receive them from the beginning of the run on */
export function markByBooks(
  { tapes, books, from }: Pick<PreparedBacktest, 'tapes' | 'books' | 'from'>,
  simulated: SimulatedMarkets,
  figures: AccountFigures,
): void {
  const taped = new Set(tapes.map(({ info }) => info.symbol))
  for (const symbol of new Set(books.map(({ info }) => info.symbol))) {
    const { depth } = simulated.market(symbol)
    if (taped.has(symbol) || depth === undefined) continue
    const marks = figures.market(symbol)
    simulated.listen(
      symbol,
      middleListener(depth.book, (time, price) => {
        if (time >= from) marks.onRecorded(time, price, 0)
      }),
    )
  }
}

function middleListener(book: RecordedBook, onMove: (time: number, price: number) => void): MarketListener {
  let last: number | undefined
  const look = (time: number): void => {
    const { bestBid, bestAsk, isKnown } = book
    if (!isKnown || bestBid === undefined || bestAsk === undefined) return
    const middle = bestBid + Math.floor((bestAsk - bestBid) / 2)
    if (middle === last) return
    last = middle
    onMove(time, middle)
  }
  return { onTrade: () => undefined, onDepth: look, onQuote: look }
}
