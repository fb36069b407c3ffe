/** Capital that moves between strategies: the wallet stays what it is, and no transfer is a profit or a loss. */
import fc from 'fast-check'
import * as rx from 'rxjs'
import { expect, it } from 'vitest'
import { runPortfolio, type PortfolioResult } from '../../../src/runtime/backtest/portfolio.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { resolvedRebalance, type RebalanceTerms } from '../../../src/runtime/settings/rebalance-terms.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { maxDrawdown } from '../../../src/analysis/drawdown.ts'
import { deviation } from '../../../src/analysis/returns/float-sums.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import type { Tape } from '../../../src/tape/tape.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { needed, runs } from '../../property/property.ts'
import { prepared } from '../rig/run-strategy.ts'

const SYMBOLS = ['BTC_USD', 'ETH_USD'] as const

/** Orders and cancels at random that look at no balance. */
const busy =
  (everyMs: number, failsAt: number) =>
  ({
    random,
    openOrders,
    buyLimit,
    sellLimit,
    buyMarket,
    sellMarket,
    cancel,
  }: StrategyContext<unknown>): IntentStream =>
    rx.interval(everyMs).pipe(
      rx.map((index): readonly Intent[] => {
        if (index === failsAt) throw new Error('enough')
        const symbol = SYMBOLS[random() < 0.5 ? 0 : 1]
        const [newest] = openOrders()
        const [price, qty] = [95 + Math.floor(random() * 11), 1 + Math.floor(random() * 4)]
        const dice = Math.floor(random() * 5)
        if (dice === 0 && newest !== undefined) return [cancel(newest.id)]
        if (dice === 1) return [buyMarket(symbol, qty)]
        if (dice === 2) return [sellMarket(symbol, qty)]
        return [dice === 3 ? buyLimit(symbol, price, qty) : sellLimit(symbol, price, qty)]
      }),
    )

const steps = fc.array(
  fc.record({ step: fc.integer({ min: 0, max: 4 * HOUR_MS }), price: fc.integer({ min: 95, max: 105 }), qty: fc.integer({ min: 1, max: 20 }) }), // prettier-ignore
  { minLength: 20, maxLength: 60 },
)

interface Step {
  readonly step: number
  readonly price: number
  readonly qty: number
}

function tapeOf(symbol: string, given: readonly Step[]): Tape {
  let time = 0
  const recorded = given.map(({ step, price, qty }): RecordedRow => {
    time += step
    return [time, price, qty, 'buy']
  })
  return memoryTape(recorded, { symbol })
}

const strategies = (least: number): fc.Arbitrary<readonly Planned[]> =>
  fc.array(
    fc.record({ everyMs: fc.integer({ min: HOUR_MS / 2, max: 8 * HOUR_MS }), failsAt: fc.integer({ min: 2, max: 80 }), credit: fc.integer({ min: least, max: least + 5_000 }) }), // prettier-ignore
    { minLength: 2, maxLength: 4 },
  )

interface Planned {
  readonly everyMs: number
  readonly failsAt: number
  readonly credit: number
}

const terms = fc
  .record({
    rule: fc.constantFrom('equal', 'share', 'inverse-volatility'),
    at: fc.constantFrom('00:00', '07:30', '23:59'),
    days: fc.integer({ min: 2, max: 4 }),
    latencyMs: fc.constantFrom(0, 250),
  })
  .map(({ latencyMs, ...given }) => {
    return { latencyMs, rebalance: resolvedRebalance({ ...given, every: '1d' }, [0.4, 0.3, 0.2, 0.1]) }
  })

interface Played {
  readonly tapes: readonly [btc: readonly Step[], eth: readonly Step[]]
  readonly planned: readonly Planned[]
  readonly latencyMs: number
  readonly rebalance: RebalanceTerms | undefined
  readonly settings?: Partial<BacktestSettings>
  /** Of each strategy; default: of both assets. */
  readonly held?: readonly Readonly<Record<string, string>>[]
}

async function play({ tapes: [btc, eth], planned, latencyMs, rebalance, settings: more, held }: Played) {
  const tapes = [tapeOf('BTC_USD', btc), tapeOf('ETH_USD', eth)]
  const lines = planned.map((): string[] => [])
  const members = planned.map(({ everyMs, failsAt, credit }, index) => {
    const settings = {
      takerFeeBps: '7.5',
      ...more,
      credit: { USD: String(credit), ...(held?.[index] ?? HOLDINGS) },
      seed: index + 1,
      liquidity: 'tape' as const,
      staleAfterMs: null,
      responseLatencyMs: latencyMs,
    }
    const own = prepared({ run: busy(everyMs, failsAt) }, { tapes, settings })
    return { name: `s${index}`, prepared: own, outside: { ...SILENT, onLine: (line: string) => lines[index]?.push(line) } } // prettier-ignore
  })
  const played = { members, reserve: new Map<string, bigint>(), rebalance, outside: SILENT, isDrawn: false }
  return { lines, ...(await runPortfolio(played)) }
}

const HOLDINGS = { BTC: '100', ETH: '100' }

const SILENT = { onOrder: () => undefined, onFill: () => undefined, onLog: () => undefined, onProgress: () => undefined } // prettier-ignore

function checkSums({ results, total }: PortfolioResult): void {
  for (const [index, { time, equity }] of total.figures.equity.samples.entries()) {
    const parts = results.map(({ figures }) => figures.equity.samples[index])
    expect(parts.map((part) => part?.time)).toEqual(parts.map(() => time))
    expect(parts.reduce((sum, part) => sum + (part?.equity ?? 0n), 0n)).toBe(equity)
  }
  for (const [index, { time, equity }] of total.figures.equity.periodSamples.entries()) {
    const parts = results.map(({ figures }) => figures.equity.periodSamples[index])
    expect(parts.map((part) => part?.time)).toEqual(parts.map(() => time))
    expect(parts.reduce((sum, part) => sum + (part?.equity ?? 0n), 0n)).toBe(equity)
  }
  const moved = new Map<number, bigint>()
  for (const { figures } of results)
    for (const { time, amount } of figures.equity.transfers) moved.set(time, (moved.get(time) ?? 0n) + amount)
  expect([...moved.values()].every((sum) => sum === 0n)).toBe(true)
  expect(total.audit.every(({ credited, held, fees, misreserved = 0n }) => credited === held + fees && misreserved === 0n)).toBe(true) // prettier-ignore
  for (const { figures } of results) {
    const { parts, isPartialAtStart } = figures.equity
    const { price = 0n, spread = 0n, fees = 0n } = parts.profit ?? {}
    if (parts.profit !== null && !isPartialAtStart) expect(price + spread + fees).toBe(figures.equity.profit())
  }
}

it('the books add up to the wallet at every sample, and journals have every transfer', async () => {
  const reached = { transfers: 0, refused: 0, failures: 0 }
  await fc.assert(
    fc.asyncProperty(steps, steps, strategies(100), terms, async (btc, eth, planned, { latencyMs, rebalance }) => {
      const { lines, ...result } = await play({ tapes: [btc, eth], planned, latencyMs, rebalance })
      checkSums(result)
      for (const [index, { figures, record, failure }] of result.results.entries()) {
        const written = (lines[index] ?? []).filter((line) => line.includes('"type":"transfer"'))
        const late = figures.equity.transfers.filter(({ time }) => time + latencyMs > figures.equity.from + 60 * 4 * HOUR_MS) // prettier-ignore
        if (failure === undefined && late.length === 0) expect(written.length).toBe(figures.equity.transfers.length)
        reached.transfers += written.length
        reached.refused += record.refusals.get('INSUFFICIENT_BALANCE') ?? 0
        reached.failures += failure === undefined ? 0 : 1
      }
    }),
    { numRuns: runs(40) },
  )
  expect(Math.min(...Object.values(reached)), JSON.stringify(reached)).toBeGreaterThan(needed(10))
})

it('with the same orders, everything but the books is as without transfers', async () => {
  let transfers = 0
  await fc.assert(
    fc.asyncProperty(steps, steps, strategies(100_000), terms, async (btc, eth, planned, { latencyMs, rebalance }) => {
      const played = { tapes: [btc, eth], planned, latencyMs, settings: { dayLoss: '400' } } as const
      const [without, moved] = [await play({ ...played, rebalance: undefined }), await play({ ...played, rebalance })]
      checkSums(moved)
      expect(moved.total.figures.equity.samples).toEqual(without.total.figures.equity.samples)
      expect(moved.total.figures.equity.periodSamples).toEqual(without.total.figures.equity.periodSamples)
      expect(moved.total.figures.equity.maxDrawdown).toBe(without.total.figures.equity.maxDrawdown)
      expect(moved.total.balances).toEqual(without.total.balances)
      for (const [index, { figures, record }] of moved.results.entries()) {
        const other = without.results[index]
        expect(record.fills).toBe(other?.record.fills)
        expect(figures.equity.profit()).toBe(other?.figures.equity.profit())
        expect(figures.traded.roundTrips.closed).toBe(other?.figures.traded.roundTrips.closed)
        transfers += figures.equity.transfers.length
        // Rebalancing looks whether a new day has begun.
        expect(record.states.map(({ state, why }) => [state, why])).toEqual(other?.record.states.map(({ state, why }) => [state, why])) // prettier-ignore
        checkEquity(figures.equity, other?.figures.equity.samples ?? [])
        const { periodSamples, maxDrawdown: fraction } = figures.equity
        const continued = periodSamples.map(({ equity, factor = 1 }) => Number(equity) * factor)
        expect(fraction).toBeGreaterThan(maxDrawdown(continued) - 1e-9)
      }
    }),
    { numRuns: runs(30) },
  )
  expect(transfers).toBeGreaterThan(needed(10))
})

type Equity = PortfolioResult['results'][number]['figures']['equity']

/** The equity is that of the run without transfers, plus what had come by then. */
function checkEquity(equity: Equity, plain: Equity['samples']): void {
  for (const [index, { time, equity: value }] of equity.samples.entries())
    expect(value).toBe((plain[index]?.equity ?? 0n) + equity.transferred(undefined, time))
}

const RISING = Array.from({ length: 60 }, (_, index) => ({ step: 2 * HOUR_MS, price: 95 + (index % 11), qty: 5 }))

it('cash that never trades has no return, no drawdown and no loss for its limits, whatever comes and goes', async () => {
  const idle = { everyMs: 10 * DAY_MS, failsAt: -1 }
  const { results } = await play({
    tapes: [RISING, RISING],
    planned: [
      { ...idle, credit: 1_000 },
      { ...idle, credit: 9_000 },
    ],
    latencyMs: 250,
    rebalance: resolvedRebalance({ rule: 'share', every: '1d' }, [0.9, 0.1]),
    held: [{}, {}],
    settings: { dayLoss: '1', drawdownPercent: '1' },
  })
  expect(results.map(({ figures: { equity } }) => equity.transfers.map(({ amount }) => Number(amount) / 10 ** equity.scale))).toEqual([[8_000], [-8_000]]) // prettier-ignore
  for (const { figures, record } of results) {
    const { equity } = figures
    expect(equity.profit()).toBe(0n)
    expect(Number(equity.equity()) * equity.factor).toBeCloseTo(Number(equity.initialEquity()), 0)
    expect(equity.maxDrawdown).toBe(0)
    expect(record.states).toEqual([])
  }
})

it('inverse volatility weighs by the daily returns of each book once there are enough, and equally before', async () => {
  const days = 3
  const holdings = [1, 5]
  const prices = RISING.map(({ price }) => price)
  const idle = { everyMs: 10 * DAY_MS, failsAt: -1, credit: 10_000 }
  const { results } = await play({
    tapes: [RISING, RISING],
    planned: [idle, idle],
    latencyMs: 0,
    rebalance: resolvedRebalance({ rule: 'inverse-volatility', every: '1d', at: '01:00', days }, []),
    held: holdings.map((qty) => ({ BTC: String(qty) })),
  })
  const cash = [10_000, 10_000]
  const known: number[][] = [[], []]
  const last: (number | undefined)[] = [undefined, undefined]
  // The first trade is at 02:00: the first time of day is that of the second day.
  for (let day = 1; day <= 4; day += 1) {
    const price = prices[12 * day - 1] ?? 0
    const equities = holdings.map((qty, index) => (cash[index] ?? 0) + qty * price)
    equities.forEach((equity, index) => {
      const before = last[index]
      if (before !== undefined) known[index]?.push(equity / before - 1)
    })
    const spreads = known.map((returns) => deviation(returns.slice(-days)) ?? 0)
    const weights = (known[0]?.length ?? 0) < days ? [1, 1] : spreads.map((spread) => 1 / spread)
    const [total, whole] = [equities, weights].map((values) => values.reduce((all, value) => all + value, 0))
    const amounts = equities.map((equity, index) => ((total ?? 0) * (weights[index] ?? 0)) / (whole ?? 1) - equity)
    results.forEach(({ figures: { equity } }, index) => {
      const { amount = 0n, time } = equity.transfers[day - 1] ?? {}
      expect(time).toBe(day * DAY_MS + HOUR_MS)
      // In whole units, because the ledger of these markets has no decimals.
      const moved = Number(amount) / 10 ** equity.scale
      expect(Math.abs(moved - (amounts[index] ?? 0))).toBeLessThan(1)
      cash[index] = (cash[index] ?? 0) + moved
      last[index] = (equities[index] ?? 0) + moved
    })
  }
})

it.each([3, 29, 53])(
  'a strategy that does nothing has no volatility, so the parts stay equal: %i held',
  async (held) => {
    const days = 30
    const idle = { everyMs: 100 * DAY_MS, failsAt: -1, credit: 7_001 }
    const rising = Array.from({ length: 12 * days }, (_, index) => ({
      step: 2 * HOUR_MS,
      price: 95 + (index % 11),
      qty: 5,
    }))
    const { results } = await play({
      tapes: [rising, rising],
      planned: [idle, idle],
      latencyMs: 0,
      rebalance: resolvedRebalance({ rule: 'inverse-volatility', every: '1d', at: '01:00', days: 2 }, []),
      held: [{}, { BTC: String(held) }],
    })
    const [still, moving] = results.map(({ figures }) => figures.equity)
    expect(still?.transfers.length).toBeGreaterThan(days - 10)
    for (const { time } of still?.transfers ?? []) {
      const [cash, rest] = [still, moving].map((book) => 7_001 + Number(book?.transferred(undefined, time)) / 10 ** (book?.scale ?? 0)) // prettier-ignore
      const price = rising[Math.floor(time / (2 * HOUR_MS)) - 1]?.price ?? 0
      expect(Math.abs((cash ?? 0) - (rest ?? 0) - held * price)).toBeLessThan(2)
    }
  },
)
