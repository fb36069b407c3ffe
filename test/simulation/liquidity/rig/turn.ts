/**
 * A session as a list of its steps, each with the books before and after it: what the laws look at.
 */
import type { Side } from '../../../../src/domain/order.ts'
import type { BookView, Outcome, Play, Quote, Resting, Session, Step } from './session.ts'

/** The orders at one price, first in queue first. */
export interface QueueAt {
  readonly price: number
  readonly orders: readonly Resting[]
}

export interface Books {
  readonly quote: Quote | undefined
  /** Best price first. */
  readonly bids: readonly QueueAt[]
  readonly asks: readonly QueueAt[]
}

export interface Turn {
  readonly step: Step
  readonly outcome: Outcome
  readonly before: Books
  readonly after: Books
}

const EMPTY: Books = { quote: undefined, bids: [], asks: [] }

export async function turnsOf(session: Session, play: Play): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  await play(session, (step, outcome, view) => {
    turns.push({ step, outcome, before: turns.at(-1)?.after ?? EMPTY, after: booksOf(view) })
  })
  return turns
}

function booksOf(view: BookView): Books {
  const side = (name: Side): readonly QueueAt[] =>
    view.levels(name).map(({ price }) => ({ price, orders: view.queue(price) }))
  return { quote: view.quote(), bids: side('BUY'), asks: side('SELL') }
}
