/** Access to an opened account for the flatten command of an operator. */
import type { ExchangeAdapter } from '../adapter/exchange-adapter.ts'
import type { OpenedAccount } from '../adapter/live/open-live-account.ts'
import type { LiveTime } from '../adapter/live/live-time.ts'
import {
  flattenAccount,
  planFlatten,
  type FlattenAccess,
  type FlattenedSession,
  type FlattenPlan,
} from '../runtime/live/flatten-account.ts'
import { flatLines, isFlat, type FlatReport } from '../runtime/session/flatten/flat-report.ts'
import type { FlattenCommand, OperatorAnswer } from '../store/state/live/operator-command.ts'

export function flattenAccess({ account, state }: Pick<OpenedAccount, 'account' | 'state'>): FlattenAccess {
  const { holdings } = account
  const exchanges = new Map<string, ExchangeAdapter>()
  let reference = 0
  return {
    markets: account.markets,
    whole: holdings.whole,
    get owners() {
      return [...new Set([...holdings.owners, ...state.waits.owners()])]
    },
    holderOf: (owner) => holdings.holderOf(owner),
    cancelForeign: (orderId, reply) => {
      holdings.cancelForeign(orderId, reply)
    },
    giveUpWaits: (owner) => {
      state.waits.save(
        owner,
        [],
        state.waits.of(owner).map(({ id }) => id),
      )
    },
    exchangeOf: (owner) => {
      const exchange = exchanges.get(owner) ?? account.exchangeOf(owner, 'wait')
      exchanges.set(owner, exchange)
      return exchange
    },
    nextReference: () => {
      reference += 1
      return reference
    },
  }
}

export interface FlattenOnOptions {
  readonly time: LiveTime
  readonly access: FlattenAccess
  readonly sessions: readonly FlattenedSession[]
}

/** @returns the plan of a dry run, else the report */
export async function flattenOn(
  { wholeAccount, isDry, withinMs }: FlattenCommand,
  options: FlattenOnOptions,
): Promise<OperatorAnswer> {
  if (isDry) {
    const plan = await planFlatten({ access: options.access, wholeAccount })
    const halts = options.sessions.map(({ owner }) => `halt ${owner} and give up its conditional orders`)
    return { isDone: true, message: [...halts, ...planLines(plan)].join('\n'), result: plan }
  }
  return flatAnswer(await flattenAccount({ ...options, wholeAccount, withinMs }))
}

export const flatAnswer = (report: FlatReport): OperatorAnswer => ({
  isDone: isFlat(report),
  message: flatLines(report).join('\n'),
  result: { isFlat: isFlat(report), ...report },
})

export function planLines({ openOrders, sells }: FlattenPlan): readonly string[] {
  const whose = (owner: string | undefined): string => (owner === undefined ? 'not of a session' : `of ${owner}`)
  const lines = [
    ...openOrders.map(({ id, owner }) => `cancel order ${id} (${whose(owner)})`),
    ...sells.map(({ asset, qty, owner }) => `sell ${qty} ${asset} at market (${whose(owner)})`),
  ]
  return lines.length === 0 ? ['nothing to cancel and nothing to sell'] : lines
}
