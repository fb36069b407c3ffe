/** Descriptions of the models that follow a recorded book: where in the queue cancels happen, which no book reports. */
import type { BookModelName } from '../../simulation/liquidity/liquidity-models.ts'

/** Parts of sentences. */
export const WHO_CANCELS: Readonly<Record<BookModelName, string>> = {
  book: 'all cancels are behind your order',
  'book-power': 'cancels ahead of your order are mostly close to it',
  'book-prorata': 'cancels are spread evenly over the queue',
}
