/**
 * What holds of the ready strategies on any tape, under every liquidity model, with any latency.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { auditToJson } from '../../src/domain/audit.ts'
import grid from '../../strategies/grid.ts'
import marketMaker from '../../strategies/market-maker.ts'
import {
  mostRequestsAMinute,
  mostTogether,
  randomRun,
  refusalCodes,
  runReady,
  tradedWithItself,
  type RandomRun,
  type ReadyRun,
} from './rig/ready-run.ts'

type Law = (run: ReadyRun, random: RandomRun) => void
type Corner = (run: ReadyRun, random: RandomRun) => boolean

const isFilled =
  (side: 'BUY' | 'SELL', isMaker: boolean): Corner =>
  ({ fills }) =>
    fills.some((fill) => fill.side === side && fill.isMaker === isMaker)

const CORNERS: Readonly<Record<string, Corner>> = {
  'a resting buy is filled': isFilled('BUY', true),
  'a resting sell is filled': isFilled('SELL', true),
  'a buy comes so late that it takes': isFilled('BUY', false),
  'a sell comes so late that it takes': isFilled('SELL', false),
  'an order is filled in part': ({ updates }) => updates.some(({ status }) => status === 'PARTIALLY_FILLED'),
  'a run ends before an answer comes': ({ result }) => result.unsent > 0,
}

const MAKER_CORNERS: Readonly<Record<string, Corner>> = {
  ...CORNERS,
  'a cancel comes too late': (run) => refusalCodes(run).includes('ORDER_NOT_CANCELLABLE'),
  'an order that was filled in part is cancelled': ({ updates }) =>
    updates.some(({ status, filledQty }) => status === 'CANCELLED' && filledQty.gt(0)),
}

const GRID_CORNERS: Readonly<Record<string, Corner>> = {
  ...CORNERS,
  'an order is refused because a balance was old': (run) => refusalCodes(run).includes('INSUFFICIENT_BALANCE'),
  'a cell goes round': ({ updates }) =>
    updates.some(({ tag, status, side }) => status === 'FILLED' && side === 'SELL' && Number(tag) < 0),
}

/** The rarest corner comes in a run of twelve: none is missed by chance in 200. */
const RUNS = 200

/** Checks the laws on the same random runs, and that these reached every corner. A law that fails is named. */
async function expectLaws<Params>(
  params: fc.Arbitrary<Params>,
  run: (params: Params, random: RandomRun) => Promise<ReadyRun>,
  laws: Readonly<Record<string, Law>>,
  corners: Readonly<Record<string, Corner>>,
): Promise<void> {
  const missed = new Set(Object.keys(corners))
  await fc.assert(
    fc.asyncProperty(randomRun, params, async (random, given) => {
      const done = await run(given, random)
      expect(done.result.failure).toBeUndefined()
      for (const [name, law] of Object.entries(laws)) expect(() => law(done, random), name).not.toThrow()
      for (const [name, isReached] of Object.entries(corners)) if (isReached(done, random)) missed.delete(name)
    }),
    { numRuns: RUNS },
  )
  expect([...missed]).toEqual([])
}

const COMMON_LAWS: Readonly<Record<string, Law>> = {
  'leaves the books balanced': ({ result }) => expect(auditToJson(result.exchange.audit()).ok).toBe(true),
  'never sends more than 30 requests in a minute': (run) => expect(mostRequestsAMinute(run)).toBeLessThanOrEqual(30),
  'never trades with itself': (run) => expect(tradedWithItself(run)).toBe(false),
}

describe('the market maker', () => {
  const params = fc.record({
    halfSpreadBps: fc.constantFrom(1, 5, 10),
    tolerance: fc.constantFrom(0, 0.5, 1),
    size: fc.constantFrom(0.05, 0.5),
    skew: fc.constantFrom(0, 1),
    roundSeconds: fc.constantFrom(9, 12),
  })

  it('keeps its laws', async () => {
    const laws: Readonly<Record<string, Law>> = {
      'never has two orders on a side': ({ updates }) =>
        expect(mostTogether(updates, ({ side }) => side)).toBeLessThan(2),
      ...COMMON_LAWS,
      'is refused nothing but a cancel of what was just filled': (run) =>
        expect(new Set(['ORDER_NOT_CANCELLABLE', ...refusalCodes(run)]).size).toBe(1),
    }
    await expectLaws(params, (given, random) => runReady(marketMaker, given, random), laws, MAKER_CORNERS)
  })
})

describe('the grid', () => {
  const params = fc.record({
    levels: fc.constantFrom(1, 3, 10),
    stepBps: fc.constantFrom(1, 5, 20),
    share: fc.constantFrom(0.5, 1),
  })
  const PACE_MS = 2_500

  it('keeps its laws', async () => {
    const laws: Readonly<Record<string, Law>> = {
      'never has two orders in a cell': ({ updates }) =>
        expect(mostTogether(updates, ({ tag }) => String(tag))).toBeLessThan(2),
      ...COMMON_LAWS,
      'buys and sells in turn in every cell': ({ updates }) => {
        const lastSides = new Map<string, string>()
        for (const { tag = '', side, status } of updates) {
          if (status !== 'FILLED') continue
          expect(side).not.toBe(lastSides.get(tag))
          lastSides.set(tag, side)
        }
      },
      'is refused nothing when answers come before the next order': (run, { orderLatencyMs, responseLatencyMs }) => {
        if (orderLatencyMs + responseLatencyMs < PACE_MS) expect(refusalCodes(run)).toEqual([])
      },
    }
    await expectLaws(params, (given, random) => runReady(grid, given, random), laws, GRID_CORNERS)
  })
})
