/**
 * Words for the models that follow a recorded book: where those stand who cancel, which no book tells.
 */
import type { BookModelName } from '../../simulation/liquidity/liquidity-models.ts'

/** Parts of sentences. */
export const WHO_CANCELS: Readonly<Record<BookModelName, string>> = {
  book: 'those who cancel stand behind us',
  'book-power': 'those who cancel stand nearer to us than to the front',
  'book-prorata': 'those who cancel stand anywhere in the queue',
}
