/** `papertape live halt`, `reduce`, `resume`, `status` and `orders`, after their flags are parsed. */
import { MACHINE_CLOCKS } from '../../adapter/live/machine-clocks.ts'
import { InputError } from '../../domain/errors.ts'
import { accountView, tellAccount } from '../../run/operator.ts'
import type { OperatorCommand } from '../../store/state/live/operator-command.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { operatorAccount, type FlagValues } from './operator-flags.ts'
import { ordersText, shownIntents, statusText } from './operator-output.ts'

/** Timeout for a process that polls four times a second, and may have to read an order from the service. */
const WAIT_MS = 15_000

/** @returns the exit code: 1 if the command was not executed */
export async function tell(command: OperatorCommand, values: FlagValues): Promise<number> {
  const { directory } = await operatorAccount(values)
  const answer = await tellAccount({ directory, clocks: MACHINE_CLOCKS }, command, WAIT_MS)
  if (values.json === true) printJson(answer)
  else if (answer.isDone) io.stdout.write(`${answer.message}\n`)
  else io.stderr.write(`papertape: ${answer.message}\n`)
  return answer.isDone ? EXIT.done : EXIT.failed
}

/** @returns the exit code */
export async function showStatus(values: FlagValues): Promise<number> {
  const { directory } = await operatorAccount(values)
  const { intents, ...view } = accountView(directory)
  if (values.json === true) printJson({ ...view, intents: shownIntents(intents) })
  else io.stdout.write(statusText({ ...view, intents }, (io.stdout.columns ?? 0) || 80))
  return EXIT.done
}

/** @returns the exit code */
export async function showOrders(values: FlagValues): Promise<number> {
  const { directory } = await operatorAccount(values)
  const view = accountView(directory)
  if (values.json === true) printJson({ intents: shownIntents(view.intents), halts: view.halts })
  else io.stdout.write(ordersText(view))
  return EXIT.done
}

/** @throws {InputError} for an invalid id */
export function intentId(text: unknown): number {
  const id = /^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : undefined
  if (id === undefined)
    throw new InputError('INTENT', `expected the number of a request (intent), got '${String(text)}'`)
  return id
}

const printJson = (value: unknown): void => void io.stdout.write(`${JSON.stringify(value)}\n`)
