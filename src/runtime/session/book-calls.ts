/**
 * `quotes`, `depth` and `book` of a strategy's context. Where no market can have a book they are refused by name, and never silent.
 *
 * In the warm-up of a backtest they tell as trades do. The past that a service tells a session in real time has none of
 * them, as its present has none.
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
