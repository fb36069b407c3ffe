/**
 * The blocks of a tape of trades, which a test knows it to be.
 */
import { invariant } from '../../../src/domain/errors.ts'
import { isCandleBlock, type Tape, type TapeBlock } from '../../../src/tape/tape.ts'

export async function* tradeBlocks(tape: Tape): AsyncGenerator<TapeBlock, void, undefined> {
  for await (const block of tape.blocks()) {
    invariant(!isCandleBlock(block), 'a tape of trades')
    yield block
  }
}
