/**
 * Tools about a live account. Each action needs a one-time token that only the user sees.
 *
 * Invariant: a token confirms one call with exactly the input that was shown with it, once, within five minutes.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { TradingClient } from '../../run/client/trading-client.ts'
import type { Workspace } from './child-command.ts'
import { checkedTool, type Tool, type ToolAnswer } from './tool.ts'

const VALID_MS = 5 * 60_000
/** Wrong tokens after which all that are pending are void. */
const MAX_WRONG = 5
const decimal = z.string().regex(/^\d{1,20}(?:\.\d{1,20})?$/, 'expected decimal text such as 0.05')

export class Confirmations {
  readonly #show: (text: string) => void
  readonly #now: () => number
  /** Actions and the end of their tokens, by token. */
  readonly #pending = new Map<string, { readonly action: string; readonly until: number }>()
  #wrong = 0

  /** @param show  shows a token to the user, and not to the model */
  constructor(show: (text: string) => void, now: () => number) {
    this.#show = show
    this.#now = now
  }

  ask(action: string): void {
    const token = randomBytes(5).toString('hex')
    this.#pending.set(token, { action, until: this.#now() + VALID_MS })
    this.#show(`to confirm ${action}, give the agent the token ${token}`)
  }

  /** @returns true once for the token of this action */
  take(action: string, token: string): boolean {
    const found = this.#pending.get(token)
    this.#pending.delete(token)
    if (found?.action === action && found.until >= this.#now()) return true
    this.#wrong += 1
    if (this.#wrong % MAX_WRONG === 0) this.#pending.clear()
    return false
  }
}

export interface LiveParts extends Workspace {
  readonly url: string
  readonly apiKey: string
  readonly confirmations: Confirmations
  /** Longest time of a call, milliseconds. */
  readonly timeMs: number
}

export const liveTools = (parts: LiveParts): readonly Tool[] => [
  readTool(parts, 'live_status', 'Show the running session of the account, or the last one.', ['live', 'status']),
  readTool(parts, 'live_account', 'Show balances and open orders of the account.', ['account']),
  actionTool(parts, 'live_halt', 'Halt the session of the account: it sends only cancels.', {}, (_given, signal) =>
    command(parts, ['live', 'halt'], signal),
  ),
  actionTool(parts, 'live_reduce', 'Let the session of the account only reduce positions.', {}, (_given, signal) =>
    command(parts, ['live', 'reduce'], signal),
  ),
  actionTool(
    parts,
    'live_flatten',
    'Cancel all orders of the sessions and sell their positions.',
    {},
    (_given, signal) => command(parts, ['live', 'flatten', '--yes'], signal),
  ),
  actionTool(
    parts,
    'cancel_order',
    'Cancel an order of the account.',
    { order: z.string().regex(/^\w[\w:.-]*$/, 'expected the id of an order') },
    ({ order }, signal) => command(parts, ['account', 'cancel', order], signal),
  ),
  actionTool(
    parts,
    'place_order',
    'Place one order on the account. Prices and quantities are decimal text.',
    {
      symbol: z.string(),
      side: z.enum(['BUY', 'SELL']),
      type: z.enum(['LIMIT', 'MARKET']),
      price: decimal.optional().describe('of a LIMIT order'),
      qty: decimal,
    },
    (given, signal) => placed(parts, given, signal),
  ),
]

const command = async ({ commands, url, apiKey }: LiveParts, args: readonly string[], signal: AbortSignal) =>
  commands.textOf(await commands.run([...args, `--url=${url}`, '--json'], signal, { PAPERTAPE_API_KEY: apiKey }))

const readTool = (parts: LiveParts, name: string, describe: string, args: readonly string[]): Tool =>
  checkedTool({
    ...{ name, scope: 'live', describe, isReadOnly: true, input: z.strictObject({}) },
    call: (_given, signal) => command(parts, args, signal),
  })

/** A tool that acts only with the token of its input. */
function actionTool<Shape extends z.ZodRawShape>(
  { commands, confirmations }: LiveParts,
  name: string,
  describe: string,
  shape: Shape,
  act: (given: z.output<z.ZodObject<Shape>>, signal: AbortSignal) => Promise<ToolAnswer>,
): Tool {
  const input = z.strictObject(shape)
  const token = z.string().optional().describe('one-time token that the user gives you; leave it out at first')
  return checkedTool({
    ...{ name, scope: 'live', isReadOnly: false, input: input.extend({ token }) },
    describe: `${describe} The first call asks the user for a token; call again with it.`,
    call: async (all: Readonly<Record<string, unknown>>, signal) => {
      const { token: given, ...others } = all
      const wanted = input.parse(others)
      const action = `${name} ${JSON.stringify(wanted)}`
      if (commands.isDryRun) return { text: `dry run, nothing was done; this would ask the user to confirm ${action}` }
      if (typeof given !== 'string') {
        confirmations.ask(action)
        return { text: `nothing was done yet. The user sees a token for ${action}: ask for it, and call again with it` }
      }
      if (!confirmations.take(action, given))
        throw new InputError(`${name}.token`, 'is not valid for this input; call without a token to ask for a new one')
      return await act(wanted, signal)
    },
  })
}

interface GivenOrder {
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  readonly price?: string | undefined
  readonly qty: string
}

/** Sends an order once. @throws {InputError} for a price that is missing, or not used */
async function placed({ url, apiKey, timeMs }: LiveParts, given: GivenOrder, signal: AbortSignal): Promise<ToolAnswer> {
  const { symbol, side, type, price, qty } = given
  if ((type === 'LIMIT') !== (price !== undefined))
    throw new InputError(
      'place_order.price',
      type === 'LIMIT' ? 'missing for a LIMIT order' : 'is not for a MARKET order',
    )
  await using client = new TradingClient({ url, apiKey })
  // A closed client ends its waits: the outcome is then unknown, and says so.
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
  over.addEventListener('abort', () => void client.close())
  const order = type === 'LIMIT' ? { symbol, side, type, price: price ?? '', qty } : { symbol, side, type, qty }
  const result = await client.placeOrder(order)
  return { text: JSON.stringify(result), isError: result.type !== 'placed' }
}
