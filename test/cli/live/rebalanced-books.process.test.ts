/**
 * Capital that moves between strategies at a minute of this machine's clock, live and on paper, by the shipped command:
 * killed before the moment and after it, with an order whose outcome is unknown at the moment.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/decimal.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import { LiveState } from '../../../src/store/state/live/live-state.ts'
import { persistedBooks, persistedReserve } from '../../../src/store/state/live/persisted-books.ts'
import { runCli } from '../rig/run-cli.ts'
import { refusal } from './rig/hostile-proxy.ts'
import { liveCases, strategyOf, type LiveCase } from './rig/live-cases.ts'
import { eventually, pause } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()

const FEES = { makerFeeBps: '7.5', takerFeeBps: '12.5' }
const MARKETS = ['BTC_USD', 'ETH_USD'].map((symbol) => ({ symbol, pricePrecision: 2, qtyPrecision: 8, ...FEES }))
const VENUE = { config: { markets: MARKETS } }
/** Time for a start and an order before the moment. */
const MIN_LEAD_MS = 30_000

/** A whole minute that is so far away, or just after it. */
const minuteIn = (ms: number): string =>
  new Date(Math.ceil((Date.now() + ms) / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16)

interface Started {
  readonly at: string
  /** Expression of the intents of the rich strategy. */
  readonly run?: string
}

const STRATEGIES = [
  { name: 'rich', share: 0.8 },
  { name: 'poor', share: 0.2 },
] as const

function started(
  { folder, start }: LiveCase,
  command: 'live' | 'paper',
  { at, run = 'NEVER' }: Started,
): SessionProcess {
  const strategies = STRATEGIES.map(({ name, share }) => {
    const use = join(folder, `${name}.ts`)
    writeFileSync(use, strategyOf(name, name === 'rich' ? run : 'NEVER'))
    return { use, name, capital: { share }, limits: { dayLoss: '50', drawdownPercent: 1 } }
  })
  const config = join(folder, 'papertape.config.json')
  const rebalance = { rule: 'equal', every: '1d', at }
  writeFileSync(config, JSON.stringify({ strategies, rebalance, makerFee: FEES.makerFeeBps, takerFee: FEES.takerFeeBps })) // prettier-ignore
  const own = command === 'live' ? ['--reconcile-ms', '3000'] : ['--state', `${folder}/state`, '--credit', '10000:USD']
  return start([], { command, args: ['--config', config, ...own] })
}

/** Expression of one limit buy at the first trade. */
const buysOnce = (qty: string): string =>
  `c.trades('BTC_USD').pipe(take(1), map(() => c.buyLimit('BTC_USD', '41000.00', '${qty}')))`

/** Resolves when the rich strategy has the answer to its order. */
const answered = (session: SessionProcess, type: 'acknowledged' | 'unknown'): Promise<unknown> =>
  eventually(
    () => session.journal(type, 'rich').length > 0,
    () => session.output,
  )

const transfersOf = (session: SessionProcess): readonly unknown[] =>
  STRATEGIES.map(({ name }) => session.journal('transfer', name).map(({ amount }) => amount))

/** Resolves when every strategy of a session has received its transfer. */
const moved = (session: SessionProcess): Promise<unknown> =>
  eventually(
    () => transfersOf(session).every((amounts) => Array.isArray(amounts) && amounts.length > 0),
    () => session.output,
  )

const booksIn = (folder: string): { readonly usd: readonly (string | undefined)[]; readonly total: string } => {
  const state = LiveState.open(join(folder, 'state', 'live.db'))
  try {
    const usd = [...persistedBooks(state).values(), { held: persistedReserve(state) ?? {} }].map(({ held }) => held.USD)
    return { usd, total: usd.reduce((sum, each) => sum.plus(each ?? 0), new Decimal(0)).toFixed() }
  } finally {
    state.close()
  }
}

describe.concurrent('capital that moves at a minute of the clock', () => {
  it('moves live what is free for certain, once, over kills before it and after it', () =>
    inCase(VENUE, async (stage) => {
      const { venue, proxy, folder } = stage
      const first = started(stage, 'live', { at: minuteIn(12 * HOUR_MS), run: buysOnce('15') })
      await first.started()
      await venue.trade('42000.00')
      await answered(first, 'acknowledged')
      await first.kill()

      // Its answer is lost, and nothing can be read that would tell what became of it.
      const at = minuteIn(MIN_LEAD_MS)
      const second = started(stage, 'live', { at, run: buysOnce('2') })
      await second.started()
      const isLost = (): boolean => proxy.sent('POST', /^\/orders/).length > 1
      proxy.hooks = {
        onRequest: ({ method }) => (method === 'GET' && isLost() ? refusal(503, 'DOWN') : undefined),
        onAnswer: (_, { method }) => (method === 'POST' ? 'reset' : undefined),
      }
      await venue.trade('42000.00')
      await answered(second, 'unknown')
      await moved(second)
      await second.kill()
      proxy.hooks = {}
      // 800000 less what both orders lock with the higher fee.
      expect(transfersOf(second)).toEqual([['-102128.75'], ['102128.75']])

      const third = started(stage, 'live', { at })
      await third.started()
      await pause(2_000)
      const { stdout } = await runCli(['live', 'status', '--state', `${folder}/state`], { cwd: folder })
      expect(stdout).toContain('rich: 1 transfer, 0 USD in, 102128.75 out')
      expect(stdout).toContain('poor: 1 transfer, 102128.75 USD in, 0 out')
      expect(await third.stop()).toBe(0)
      expect(transfersOf(third)).toEqual([[], []])
      expect(third.output).not.toMatch(/no capital moved|than the books|"type":"state"/)
      expect(booksIn(folder)).toEqual({ usd: ['697871.25', '302128.75', '0'], total: '1000000' })
      expect(await venue.balances()).toMatchObject({ USD: { available: '1000000', locked: '0' } })
    }))

  it('moves on paper to equal parts, once, over kills before it and after it', () =>
    inCase(VENUE, async (stage) => {
      const { folder } = stage
      const first = started(stage, 'paper', { at: minuteIn(12 * HOUR_MS) })
      await first.started()
      await first.kill()
      const at = minuteIn(MIN_LEAD_MS)
      const second = started(stage, 'paper', { at })
      await second.started()
      await moved(second)
      await second.kill()
      expect(transfersOf(second)).toEqual([['-3000'], ['3000']])
      const third = started(stage, 'paper', { at })
      await third.started()
      await pause(2_000)
      expect(await third.stop()).toBe(0)
      expect(transfersOf(third)).toEqual([[], []])
      expect(third.output).not.toMatch(/no capital moved|"type":"state"/)
      expect(STRATEGIES.map(({ name }) => third.report(name).finalEquity)).toEqual(['5000', '5000'])
      const { stdout } = await runCli(['paper', 'status', '--state', `${folder}/state`], { cwd: folder })
      expect(stdout).toContain('rich: 1 transfer, 0 USD in, 3000 out')
    }))
})
