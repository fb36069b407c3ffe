/** Empty recorded books, one per recorded market, each updated by all recordings of that market. */
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import { RecordedDepth } from './recorded-depth.ts'

/** Books by symbol. */
export function recordedDepths(
  books: readonly { readonly info: Pick<BookTapeInfo, 'symbol' | 'kind'> }[],
): ReadonlyMap<string, RecordedDepth> {
  const symbols = new Set(books.map(({ info }) => info.symbol))
  return new Map(
    [...symbols].map((symbol) => {
      const kinds = books.flatMap(({ info }) => (info.symbol === symbol ? [info.kind] : []))
      return [symbol, new RecordedDepth({ hasLevels: kinds.includes('depth'), hasQuotes: kinds.includes('quotes') })]
    }),
  )
}
