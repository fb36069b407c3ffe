/** The explanation of an order of a saved run, from its journal alone. */
import { orderExplanation, type OrderExplanation } from '../report/order-explanation/order-explanation.ts'
import { savedJournalLines } from '../runtime/journal/journal-reader.ts'
import { runJournal } from './run-journal.ts'

export interface ExplainedOrder {
  readonly explanation: OrderExplanation
  /** Deviations of the journal from the one that the run wrote, each starting with the path. */
  readonly faults: readonly string[]
}

/** @throws {InputError} if there is no such run or order */
export function explainedOrder(directory: string, order: string): ExplainedOrder {
  const { path, faults } = runJournal(directory)
  const cut = new Set<string>()
  // A session that was killed may have cut its last line.
  const lines = savedJournalLines(path, () => void cut.add(`${path}: its last line is incomplete and was ignored`))
  const explanation = orderExplanation(lines, order)
  return { explanation, faults: [...faults, ...cut] }
}
