/**
 * The explanation of an order from the journal alone: one line that says why it filled, filled late, or did not, then
 * the facts.
 */
import { isoTime } from '../../domain/time.ts'
import type { OrderFact } from './order-fact.ts'
import { orderFacts } from './order-facts.ts'
import { orderHistory } from './order-history.ts'
import { orderVerdict } from './order-verdict.ts'
import { WAIT_ID, conditionalExplanation } from './conditional-explanation.ts'
import type { JournalLine } from '../../runtime/journal/journal-line.ts'
import { hangingLines, printable } from '../terminal-text.ts'

export interface OrderExplanation {
  readonly verdict: string
  /** Facts in time order. */
  readonly facts: readonly OrderFact[]
}

/**
 * @param lines  the whole journal; read three times
 * @param name   the order's id, `ref:N` for a refused request, or `wN` for a conditional order
 * @throws {InputError} if there is no such order, naming similar ones, or if the journal is incomplete
 */
export function orderExplanation(lines: Iterable<JournalLine>, name: string): OrderExplanation {
  if (WAIT_ID.test(name)) return conditionalExplanation(lines, name)
  const history = orderHistory(lines, name)
  return { verdict: orderVerdict(history), facts: orderFacts(history) }
}

const WIDTH = 80

/** The explanation as plain text in lines of at most 80 columns, without a final newline. Times are virtual, in UTC. */
export function explanationText({ verdict, facts }: OrderExplanation): string {
  // Tags, requests and reasons contain text of the strategy: escape control characters.
  const told = facts.flatMap(({ time, text }) => hangingLines(`${isoTime(time)}  `, printable(text), WIDTH))
  return [...hangingLines('', printable(verdict), WIDTH, 2), '', ...told].join('\n')
}
