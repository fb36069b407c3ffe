/** Capital that moves between strategies on paper, whose process is killed, restarted, or down at the moment. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { map, take } from 'rxjs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { toDecimal } from '../../../src/domain/decimal.ts'
import { inVirtualWorld } from '../../../src/runtime/backtest/virtual-world.ts'
import { LiveLoop } from '../../../src/runtime/live/live-loop.ts'
import { moneyOf } from '../../../src/runtime/live/paper-money.ts'
import { PaperSession } from '../../../src/runtime/live/paper-session.ts'
import { PaperState } from '../../../src/runtime/live/paper-state.ts'
import { DurableTransfers } from '../../../src/runtime/live/durable-transfers.ts'
import { preparePaper } from '../../../src/runtime/live/prepare-paper.ts'
import { liveStatusOfPaper, paperStatus } from '../../../src/runtime/live/session-status.ts'
import { resolvedRebalance } from '../../../src/runtime/settings/rebalance-terms.ts'
import { givenStrategy } from '../../../src/runtime/strategies/strategy-file.ts'
import { LiveState } from '../../../src/store/state/live/live-state.ts'
import { persistedPaper } from '../../../src/store/state/live/persisted-paper.ts'
import { persistedRisk, saveRisk } from '../../../src/store/state/live/persisted-risk.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import { MarketTrade } from '../../../src/strategy/market-data.ts'
import type { MarketGap } from '../../../src/strategy/market-gap.ts'
import { buyMarket } from '../../../src/strategy/orders.ts'
import { defineStrategy } from '../../../src/strategy/strategy.ts'
import { market } from '../../exchange/rig/configs.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { SETTINGS } from '../rig/run-strategy.ts'
import { FakeClocks } from './rig/fake-clocks.ts'

const { folder } = temporaryFiles()
const BTC = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 4 })
const HOUR = 3_600_000
const MIDNIGHT = Date.UTC(2024, 0, 2)
/** Longer than the second within which limits save their marks. */
const RESPONSE_MS = 2_500
/** Every transfer here is larger than the day-loss limit, and than the drawdown limit of either strategy. */
const LIMITS = { dayLoss: '40', drawdownPercent: '2', atLimit: 'flatten' } as const
const OWNERS = [
  { name: 'rich', capital: { share: 0.8 } },
  { name: 'poor', capital: { share: 0.2 } },
]
const once = defineStrategy({
  name: 'once',
  params: z.object({ qty: z.number() }),
  run: ({ params: { qty }, trades, balance }) =>
    trades('BTC_USD').pipe(
      take(1),
      map(() => (balance('BTC').available.isZero() ? buyMarket('BTC_USD', qty) : [])),
    ),
})
const HEALTH = {
  state: 'connected',
  reconnects: 0,
  lastMessageAgeMs: undefined,
  connectedSince: undefined,
  unreadable: 0,
  bySymbol: new Map(),
} as unknown as Parameters<typeof paperStatus>[2]
const SILENT = {
  onOrder: () => undefined,
  onFill: () => undefined,
  onProgress: () => undefined,
  onLog: () => undefined,
}

interface World {
  readonly pass: (ms: number) => void
  readonly trade: (price: number) => void
  readonly session: PaperSession
  readonly books: PaperState
}

interface Asked extends Partial<typeof LIMITS> {
  readonly rule: 'equal' | 'inverse-volatility'
  /** Quantity that each strategy buys; default: 5. */
  readonly qtys?: readonly number[]
}

interface End {
  readonly warnings: readonly string[]
  /** Cash, and the state of its limits, by strategy. */
  readonly cash: Readonly<Record<string, string>>
  readonly states: readonly string[]
  readonly transfers: unknown
}

/** A session from a time on, which ends by a kill after the actions. */
async function killedAfter(
  name: string,
  from: number,
  act: (world: World) => void,
  { rule, qtys = [5, 5], ...limits }: Asked = { rule: 'equal', ...LIMITS },
): Promise<End> {
  const directory = join(folder, name)
  mkdirSync(directory, { recursive: true })
  const clocks = new FakeClocks(from)
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const loop = new LiveLoop(clocks, { onJump: () => undefined, onSetBack: () => undefined, onError })
  const [trades, gaps] = [new HotStream<MarketTrade>(), new HotStream<MarketGap>()]
  const state = LiveState.openOrMake(join(directory, 'live.db'))
  const saved = persistedPaper(state)
  const settings = { ...SETTINGS, ...limits, responseLatencyMs: RESPONSE_MS }
  const ready = await Promise.all(
    OWNERS.map((_, index) => {
      const params = { qty: qtys[index] ?? 0 }
      return preparePaper({ settings, loaded: givenStrategy(once), params, markets: [BTC] })
    }),
  )
  const [first] = ready
  if (first === undefined) throw new Error('nothing is prepared')
  const now = loop.now()
  const money = moneyOf({ directory, saved }, first, OWNERS, now)
  const warnings: string[] = []
  const place = {
    url: 'http://localhost',
    credits: {},
    session: name,
    isWritten: () => true,
    onWarning: (text: string) => void warnings.push(text),
  }
  const books = new PaperState({ state, saved, exchange: money.exchange, now, ...place })
  const members = ready.map((prepared, index) => {
    const credit = money.capitals[index] ?? prepared.credit
    return { name: OWNERS[index]?.name ?? '', prepared: { ...prepared, credit, from: now, to: now }, outside: SILENT }
  })
  const session = new PaperSession({
    members,
    wallet: {
      reserve: money.reserve,
      outside: SILENT,
      rebalance: resolvedRebalance({ rule, every: '1d', days: 2 }, []),
      transferStore: books.transfers,
    },
    loop,
    feed: { trades: () => trades, gaps: () => gaps },
    state: { state: books, absent: [], isCredited: saved !== undefined, onWarning: (text) => void errors.push(text) },
  })
  let ids = 0
  const trade = (price: number): void => {
    ids += 1
    const id = String(now + ids)
    const ofOthers = { buyOrderId: '', sellOrderId: '', buyerId: '', sellerId: '' }
    const wire = { id, symbol: 'BTC_USD', price: price * 100, qty: 1_000_000, ...ofOthers, isBuyerMaker: false, createdAt: loop.now() } // prettier-ignore
    loop.enter(() => {
      trades.push(new MarketTrade(wire, BTC))
    })
  }
  const { onInexactMath } = session.members[0].run
  await inVirtualWorld({ queue: loop.queue, turn: loop.turn, onError, onInexactMath }, () => {
    session.start()
    const pass = (ms: number): void => {
      clocks.pass(ms)
    }
    act({ pass, trade, session, books })
    return Promise.resolve()
  })
  loop.stop()
  state.close()
  expect(errors).toEqual([])
  const states = session.members.map(({ run }) => run.session.state)
  return { states, warnings, ...persisted(directory) }
}

/** The balances on disk. */
function persisted(directory: string): Pick<End, 'cash' | 'transfers'> {
  const state = LiveState.openOrMake(join(directory, 'live.db'))
  const saved = persistedPaper(state)
  const exchange = saved && moneyOf({ directory, saved }, { markets: [BTC], quoteAsset: 'USD', credit: new Map() }, OWNERS, Number.MAX_SAFE_INTEGER).exchange // prettier-ignore
  state.close()
  const cash = OWNERS.map(({ name }) => {
    const { available = 0n, locked = 0n } = exchange?.balances(`strategy:${name}`).get('USD') ?? {}
    return [name, String(Number(available + locked) / 1_000_000)] as const
  })
  return { cash: Object.fromEntries(cash), transfers: saved?.transfers }
}

/** Each has 5 BTC at 100 as well. */
const BEFORE = { rich: '7500', poor: '1500' }
const AFTER = { rich: '4500', poor: '4500' }
const SUMS = { rich: { count: 1, in: '0', out: '3000' }, poor: { count: 1, in: '3000', out: '0' } }
const ACTIVE = ['ACTIVE', 'ACTIVE']

it.each`
  killedMs               | cash      | transfers | when
  ${-1}                  | ${BEFORE} | ${{}}     | ${'before the moment'}
  ${0}                   | ${AFTER}  | ${SUMS}   | ${'at the moment, before the strategies know'}
  ${RESPONSE_MS / 2}     | ${AFTER}  | ${SUMS}   | ${'between the moment and the news of it, with limits that save'}
  ${RESPONSE_MS + 2_000} | ${AFTER}  | ${SUMS}   | ${'after it'}
`(
  'a kill $when loses and doubles nothing, and the next moment is the next one after a start',
  async ({ killedMs, ...expected }) => {
    // prettier-ignore
    const name = `killed${String(killedMs)}`
    const first = await killedAfter(name, MIDNIGHT - HOUR, ({ pass, trade }) => {
      trade(100)
      pass(HOUR - 1)
      if (killedMs >= 0) pass(1)
      // A new day and a new peak are marks that the limits save.
      if (killedMs > 0) {
        trade(100.01)
        trade(100)
        pass(killedMs)
      }
    })
    expect(first).toEqual({ states: ACTIVE, warnings: [], cash: expected.cash, transfers: expected.transfers })

    // The moment has passed: nothing is caught up, and no limit takes the transfer for a loss or a deposit.
    const second = await killedAfter(name, MIDNIGHT + HOUR, ({ pass, trade, session, books }) => {
      trade(100)
      pass(2_000)
      trade(93)
      pass(20 * HOUR)
      const strategies = session.members.map((member, index) => {
        const { name: owner = '' } = OWNERS[index] ?? {}
        const status = paperStatus(session, member, HEALTH)
        return { owner, status, firstEquity: OWNERS[index]?.name === 'rich' ? '8000' : '2000', transfers: books.transfers.of(owner), runDirectory: '' } // prettier-ignore
      })
      const shown = liveStatusOfPaper({ url: '', startedAt: 0, events: [], strategies })
      expect(shown?.strategies[0]?.change).toBeCloseTo(-35 / 8000, 12)
      expect(shown?.strategies[1]?.change).toBeCloseTo(-35 / 2000, 12)
      expect(shown?.strategies[1]?.transfers).toEqual(expected.transfers.poor)
    })
    const warnings =
      killedMs < 0 ? ['no capital moved at 2024-01-02T00:00:00.000Z, because no session ran at that time'] : []
    expect(second).toEqual({ states: ACTIVE, warnings, cash: expected.cash, transfers: expected.transfers })

    const third = await killedAfter(name, MIDNIGHT + 23 * HOUR, ({ pass, trade }) => {
      trade(93)
      pass(HOUR + 1)
    })
    // Equities of 9930 in all, with 465 in BTC in each.
    expect(third.cash).toEqual({ rich: '4500', poor: '4500' })
    expect(third.states).toEqual(ACTIVE)
  },
)

it('inverse volatility moves the same over kills of each day as without them', async () => {
  const DAY = 24 * HOUR
  const prices = [100, 104, 97, 110, 103]
  const asked = { rule: 'inverse-volatility', qtys: [5, 10] } as const
  const day =
    (price: number) =>
    ({ trade, pass }: World): void => {
      trade(price)
      pass(DAY)
    }
  const act = (world: World): void => {
    for (const price of prices) day(price)(world)
  }
  const whole = await killedAfter('whole', MIDNIGHT - HOUR, act, asked)
  let parts = whole
  for (const [index, price] of prices.entries())
    parts = await killedAfter('parts', MIDNIGHT - HOUR + index * DAY, day(price), asked)
  expect(parts).toEqual(whole)
  expect(whole.transfers).toMatchObject({ rich: { count: prices.length }, poor: { count: prices.length } })
  const [rich = 0, poor = 0] = [whole.cash.rich, whole.cash.poor].map(Number)
  expect(Math.abs(rich - poor)).toBeGreaterThan(100)
})

it('a fault while a transfer is written leaves the balances and the marks on disk as they were', () => {
  const directory = join(folder, 'fault')
  mkdirSync(directory)
  const state = LiveState.openOrMake(join(directory, 'live.db'))
  const marks = { quoteAsset: 'USD', day: 1, dayStart: '10', peak: '10', holdings: [] }
  saveRisk(state, 'a', { marks, holds: [] })
  const save = (): void => {
    saveRisk(state, 'b', { marks, holds: [] })
  }
  const history = { time: 0, books: {} }
  const parts = { state, saved: {}, save, onMissed: () => undefined }
  const moment = { asset: 'USD', amounts: new Map([['a', toDecimal(5)]]), history }
  const failing = new DurableTransfers({ ...parts, save: () => { save(); throw new Error('disk is full') } }) // prettier-ignore
  expect(() => {
    failing.execute(moment, () => undefined)
  }).toThrow('disk is full')
  expect([persistedRisk(state, 'a')?.marks, persistedRisk(state, 'b')]).toEqual([marks, undefined])
  const transfers = new DurableTransfers(parts)
  transfers.execute(moment, () => undefined)
  expect(persistedRisk(state, 'a')?.marks?.dayStart).toBe('15')
  expect(transfers.withUnknown('a', { marks, holds: [] }).marks?.dayStart).toBe(toDecimal('15').toFixed())
  transfers.onKnown()
  expect(transfers.withUnknown('a', { marks, holds: [] }).marks).toBe(marks)
  state.close()
})
