/** Strategies on one wallet: whatever they do to each other, their books add up to it at every sample. */
import fc from 'fast-check'
import * as rx from 'rxjs'
import { expect, it } from 'vitest'
import { runPortfolio } from '../../../src/runtime/backtest/portfolio.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import type { Intent } from '../../../src/strategy/intent.ts'
import type { OwnFill } from '../../../src/strategy/own-order.ts'
import type { IntentStream } from '../../../src/strategy/strategy.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import type { Tape } from '../../../src/tape/tape.ts'
import { needed, runs } from '../../property/property.ts'
import { prepared } from '../rig/run-strategy.ts'

const SYMBOLS = ['BTC_USD', 'ETH_USD'] as const

/** Orders and cancels at random, near the price, so that strategies also trade with each other. */
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
        if (dice === 1) return [buyMarket(symbol, 10 * qty)]
        if (dice === 2) return [sellMarket(symbol, 10 * qty)]
        return [dice === 3 ? buyLimit(symbol, price, qty) : sellLimit(symbol, price, qty)]
      }),
    )

const rows = fc.array(
  fc.record({ step: fc.integer({ min: 0, max: 2_000 }), price: fc.integer({ min: 95, max: 105 }), qty: fc.integer({ min: 1, max: 20 }) }), // prettier-ignore
  { minLength: 20, maxLength: 80 },
)

interface Step {
  readonly step: number
  readonly price: number
  readonly qty: number
}

function tapeOf(symbol: string, steps: readonly Step[]): Tape {
  let time = 0
  const recorded = steps.map(({ step, price, qty }): RecordedRow => {
    time += step
    return [time, price, qty, 'buy']
  })
  return memoryTape(recorded, { symbol })
}

it('the books of strategies add up to their wallet at every sample, to the last digit', async () => {
  const reached = { fills: 0, crossings: 0, failures: 0 }
  await fc.assert(
    fc.asyncProperty(
      rows,
      rows,
      fc.array(fc.record({ everyMs: fc.integer({ min: 200, max: 3_000 }), failsAt: fc.integer({ min: 2, max: 60 }), credit: fc.integer({ min: 0, max: 50_000 }) }), { minLength: 1, maxLength: 4 }), // prettier-ignore
      fc.integer({ min: 0, max: 1_000 }),
      async (btc, eth, strategies, reserve) => {
        const tradesBy = new Map<string, number>()
        const tapes = [tapeOf('BTC_USD', btc), tapeOf('ETH_USD', eth)]
        const members = strategies.map(({ everyMs, failsAt, credit }, index) => {
          const settings = { takerFeeBps: '7.5', makerFeeBps: '1', credit: { USD: String(credit), BTC: '200', ETH: '100' }, seed: index + 1, liquidity: 'tape' } as const // prettier-ignore
          const own = prepared({ run: busy(everyMs, failsAt) }, { tapes, settings })
          const onFill = ({ tradeId }: OwnFill): void => {
            reached.fills += 1
            if (tradesBy.has(tradeId) && tradesBy.get(tradeId) !== index) reached.crossings += 1
            tradesBy.set(tradeId, index)
          }
          return { name: `s${index}`, prepared: own, outside: { ...SILENT, onFill } }
        })
        const { results, total } = await runPortfolio({
          members,
          reserve: new Map([['USD', BigInt(reserve)]]),
          outside: SILENT,
          isDrawn: false,
        })
        const more = 10n ** BigInt(total.figures.equity.scale - (results[0]?.exchange.scales.get('USD') ?? 0))
        for (const [index, { time, equity }] of total.figures.equity.samples.entries()) {
          const parts = results.map(({ figures }) => figures.equity.samples[index])
          expect(parts.map((part) => part?.time)).toEqual(parts.map(() => time))
          expect(parts.reduce((sum, part) => sum + (part?.equity ?? 0n), BigInt(reserve) * more)).toBe(equity)
        }
        reached.failures += results.filter(({ failure }) => failure !== undefined).length
        expect(results.reduce((sum, { record }) => sum + record.fills, 0)).toBe(total.record.fills)
        expect(total.audit.every(({ credited, held, fees, misreserved = 0n }) => credited === held + fees && misreserved === 0n)).toBe(true) // prettier-ignore
      },
    ),
    { numRuns: runs(40) },
  )
  // Strategies that trade with each other, and such that fail, are among them.
  expect(Math.min(...Object.values(reached)), JSON.stringify(reached)).toBeGreaterThan(needed(10))
})

const SILENT = { onLine: () => undefined, onOrder: () => undefined, onFill: () => undefined, onLog: () => undefined, onProgress: () => undefined } // prettier-ignore
