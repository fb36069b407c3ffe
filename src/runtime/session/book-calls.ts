/**
 * `quotes`, `depth` and `book` of a strategy's context. If no market can have a book they throw, with a message that
 * names them.
 *
 * In the warm-up of a backtest they emit like trades. The history of a live service has none of them, and neither has
 * its present.
 */
import type { ExchangeAdapter, RecordedBooks } from '../../adapter/exchange-adapter.ts'
import { InputError } from '../../domain/errors.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import { depthTermsOf } from '../../strategy/depth-options.ts'
import type { MarketView } from '../../strategy/market-view.ts'

export function bookCalls(
  adapter: Pick<ExchangeAdapter, 'books'>,
  market: (symbol: string) => MarketView,
): Pick<StrategyContext<unknown>, 'quotes' | 'depth' | 'book'> {
  const booksFor = (place: string): RecordedBooks => {
    if (adapter.books !== undefined) return adapter.books
    throw new InputError(
      place,
      'not available live or on paper: the service has no stream of its order book; use a backtest on recorded books',
    )
  }
  return {
    quotes: (asked) => {
      const { symbol } = market(asked)
      return booksFor(`quotes('${symbol}')`).quotes(symbol)
    },
    depth: (asked, options = {}) => {
      const { symbol } = market(asked)
      const place = `depth('${symbol}')`
      const terms = depthTermsOf(place, options)
      return booksFor(place).depth(symbol, terms)
    },
    book: (asked) => {
      const { symbol } = market(asked)
      return booksFor(`book('${symbol}')`).book(symbol)
    },
  }
}
