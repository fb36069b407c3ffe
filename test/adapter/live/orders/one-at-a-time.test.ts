/**
 * Reads and audits of the account run one at a time: what is asked for at any moment of one is looked at behind it.
 */
import { describe, expect, it } from 'vitest'
import { AccountWatch } from '../../../../src/adapter/live/orders/account-watch.ts'
import { Auditor } from '../../../../src/adapter/live/orders/auditor.ts'
import { IntentBook } from '../../../../src/adapter/live/orders/intent-book.ts'
import { AssumedFees } from '../../../../src/adapter/live/orders/order-fees.ts'
import { OwnOrders } from '../../../../src/adapter/live/orders/own-orders.ts'
import type { SymbolBook } from '../../../../src/adapter/live/orders/symbol-book.ts'
import type { OrderCalls } from '../../../../src/adapter/live/rest/service-calls.ts'
import { ExchangeError } from '../../../../src/domain/errors.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

const BTC = market('BTC_USD')
/** More than a read takes. */
const STEPS = 40

class AtOnce extends FakeLiveTime {
  override enter(action: () => void): void {
    action()
  }
}

const time = new AtOnce()
const own = new OwnOrders({
  marketOf: () => BTC,
  fees: new AssumedFees([BTC], () => ({ makerFeeBps: '0', takerFeeBps: '0' })),
  lastPrice: () => undefined,
  report: () => undefined,
  onEnding: () => undefined,
  isReporting: () => true,
  intentOf: () => undefined,
  onFinished: () => undefined,
  onLate: () => undefined,
})

/** Asks, and asks again so many steps of promises later. @returns what was done, in its order */
async function askedTwice(ask: () => Promise<unknown>, log: string[], steps: number): Promise<readonly string[]> {
  const first = ask()
  for (let step = 0; step < steps; step += 1) await Promise.resolve()
  log.push('asked')
  await Promise.all([first, ask()])
  return log
}

const eachStep = Array.from({ length: STEPS }, (_, steps) => steps)

describe('one that is asked for at any step of another is begun behind it', () => {
  it('a read of the account', async () => {
    for (const steps of eachStep) {
      const log: string[] = []
      const calls = {
        fills: () => Promise.resolve([]),
        balances: () => {
          log.push('read')
          return Promise.resolve(new Map())
        },
      }
      const faults = { onFault: () => undefined, onRead: () => undefined, onError: () => undefined }
      const watch = new AccountWatch({ time, calls, own, onBalances: () => undefined, ...faults })
      const done = await askedTwice(() => watch.refresh({ fills: true }), log, steps)
      expect(done.at(-1), `${steps} steps`).toBe('read')
    }
  })

  it('an audit', async () => {
    for (const steps of eachStep) {
      const log: string[] = []
      const symbols: Partial<SymbolBook> = {
        prepare: () => Promise.resolve(),
        listNew: () => {
          log.push('read')
          return Promise.resolve({ orders: [], unreadable: [] })
        },
        unexplained: () => [],
      }
      const auditor = new Auditor({
        time,
        own,
        quarantineMs: 1,
        intents: new IntentBook(new MemoryIntentStore()),
        calls: {} as OrderCalls,
        symbols: symbols as SymbolBook,
        onLateOrder: () => undefined,
        onForeign: () => undefined,
        onFault: () => undefined,
        onRead: () => undefined,
        onWarning: () => undefined,
      })
      const ask = (): Promise<unknown> => {
        auditor.suspect(BTC.symbol)
        return auditor.audit()
      }
      expect((await askedTwice(ask, log, steps)).at(-1), `${steps} steps`).toBe('read')
    }
  })
})

it('a read that is asked for where the fault of another is reported is begun', async () => {
  let reads = 0
  let again: Promise<unknown> | undefined
  const watch: AccountWatch = new AccountWatch({
    time,
    own,
    onBalances: () => undefined,
    onRead: () => undefined,
    onError: () => undefined,
    calls: {
      fills: () => Promise.resolve([]),
      balances: () => {
        reads += 1
        return reads === 1 ? Promise.reject(new ExchangeError('INTERNAL_ERROR', 'no')) : Promise.resolve(new Map())
      },
    },
    onFault: () => {
      again = watch.refresh({ fills: false })
    },
  })
  expect(await watch.refresh({ fills: false })).toBeInstanceOf(ExchangeError)
  expect([await again, reads]).toEqual([undefined, 2])
})
