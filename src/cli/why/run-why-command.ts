/**
 * `papertape why`, once its arguments are read: the journal of a run in, the explanation of one order out. Nothing else of the run is
 * read but the hashes that its report has.
 */
import { explanationText } from '../../report/order-explanation/order-explanation.ts'
import { explainedOrder } from '../../run/explained-order.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { printJson } from '../shared-flags.ts'

/** @returns the exit code */
export function reportWhy(directory: string, order: string, isJson: boolean): number {
  const { explanation, faults } = explainedOrder(directory, order)
  if (isJson) printJson({ order, ...explanation })
  else io.stdout.write(`${explanationText(explanation)}\n`)
  for (const fault of faults) io.stderr.write(`${fault}\n`)
  return EXIT.done
}
