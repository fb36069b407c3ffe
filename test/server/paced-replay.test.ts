import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RATE_LIMITS } from '../../src/domain/rate-window.ts'
import type { Trade } from '../../src/domain/trade.ts'
import { ReplayClock, VirtualClock } from '../../src/simulation/clocks/virtual-clock.ts'
import { PacedReplay } from '../../src/simulation/replay/paced-replay.ts'
import { MACHINE_CLOCK } from '../../src/server/service/machine-clock.ts'
import { ReplayPump } from '../../src/server/service/replay-pump.ts'
import { systemSecrets } from '../../src/server/service/secrets.ts'
import { Service } from '../../src/server/service/service.ts'
import { UserRegistry } from '../../src/server/service/user-registry.ts'
import { EVENT_KIND } from '../../src/simulation/event-queue.ts'
import type { LiquidityModel } from '../../src/simulation/liquidity/liquidity-model.ts'
import { TapeLiquidity } from '../../src/simulation/liquidity/tape.ts'
import { TradeEstimates } from '../../src/simulation/liquidity/trade-estimates.ts'
import type { Clock } from '../../src/domain/time.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { market } from '../exchange/rig/configs.ts'
import { MarketStage } from '../simulation/rig/market-stage.ts'
import { memoryTape, type RecordedRow } from '../simulation/rig/memory-tape.ts'

const SYMBOLS = ['BTC_USD', 'ETH_USD'] as const
const SILENCE_MS = 500
const SHIFT_MS = 1_000_000
const STEPS = [0, 0, 1, 7, 100, 700]

const model = (): LiquidityModel =>
  new TapeLiquidity(new TradeEstimates(1), { queueSize: 1, levelSize: 1, staleAfterMs: SILENCE_MS })

const stageAt = (start: number): MarketStage => {
  const stage = new MarketStage({ markets: SYMBOLS.map((symbol) => market(symbol)), model, start })
  for (const asset of ['USD', 'BTC', 'ETH']) stage.credit('us', asset, 1_000_000n)
  return stage
}

/** Orders of ours arrive at their times. */
function schedule(stage: MarketStage, orders: readonly OwnOrder[], shift: number): void {
  for (const { symbol, time, side, price } of orders) {
    stage.queue.schedule(time + shift, EVENT_KIND.message, () => {
      if (price === 0) stage.market('us', side, 2, symbol)
      else stage.limit('us', side, price, 3, symbol)
    })
  }
}

const serviceOf = (stage: MarketStage, clock: Clock, replay: PacedReplay): Service =>
  new Service({
    simulated: stage.simulated,
    users: new UserRegistry(systemSecrets, () => undefined),
    clock,
    limits: DEFAULT_RATE_LIMITS,
    awaited: replay.awaited,
  })

const replayOf = (stage: MarketStage, tapes: readonly Tape[], errors: unknown[] = []): PacedReplay =>
  new PacedReplay(stage.simulated, {
    tapes: tapes.map((tape) => ({ tape, longestSilenceMs: SILENCE_MS })),
    shiftMs: SHIFT_MS,
    onError: (error) => errors.push(error),
  })

interface OwnOrder {
  readonly symbol: (typeof SYMBOLS)[number]
  readonly time: number
  readonly side: 'BUY' | 'SELL'
  /** 0 for a market order. */
  readonly price: number
}

const row = fc.tuple(
  fc.constantFrom(...STEPS),
  fc.integer({ min: 1, max: 6 }),
  fc.integer({ min: 1, max: 4 }),
  fc.constantFrom('buy', 'sell', undefined),
)
const randomTape = fc
  .record({
    symbol: fc.constantFrom(...SYMBOLS),
    steps: fc.array(row, { minLength: 1, maxLength: 25, size: 'max' }),
    blockRows: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ symbol, steps, blockRows }) => {
    let time = 0
    const rows = steps.map(([step, price, qty, side]): RecordedRow => {
      time += step
      return side === undefined ? [time, price, qty] : [time, price, qty, side]
    })
    return memoryTape(rows, { symbol, blockRows })
  })
const order = fc.record({
  symbol: fc.constantFrom(...SYMBOLS),
  time: fc.integer({ min: 0, max: 3_000 }),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price: fc.integer({ min: 0, max: 6 }),
})

const unshifted = (trades: readonly Trade[]): readonly Trade[] =>
  trades.map((trade) => ({ ...trade, createdAt: trade.createdAt - SHIFT_MS }))

describe('a replay in a served market', () => {
  it('trades what a backtest trades, shifted, in whatever steps the time is moved', async () => {
    let ours = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomTape, { minLength: 1, maxLength: 3 }),
        fc.array(order, { maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 30 }),
        async (tapes, orders, steps) => {
          const end = Math.max(3_000, ...tapes.map(({ info }) => info.to))
          const backtest = stageAt(0)
          schedule(backtest, orders, 0)
          await backtest.play(tapes, { end, silenceMs: SILENCE_MS })

          const stage = stageAt(SHIFT_MS)
          schedule(stage, orders, SHIFT_MS)
          const replay = replayOf(stage, tapes)
          await replay.begin()
          const clock = new VirtualClock(SHIFT_MS)
          const service = serviceOf(stage, clock, replay)
          for (const step of [...steps, end]) {
            clock.advance(step)
            expect(await service.catchUpFully()).toBe(clock.now())
          }
          expect(unshifted(stage.trades)).toEqual(backtest.trades)
          expect(stage.exchange.balances('us')).toEqual(backtest.exchange.balances('us'))
          expect(replay.isOver).toBe(true)
          ours += stage.trades.filter(({ buyerId, sellerId }) => buyerId === 'us' || sellerId === 'us').length
        },
      ),
      { numRuns: 150 },
    )
    expect(ours).toBeGreaterThan(100)
  })

  it('stands still while a block is read, for anyone who asks', async () => {
    const stage = stageAt(SHIFT_MS)
    const tape = memoryTape(
      [
        [0, 3, 1],
        [10, 4, 1],
        [20, 5, 1],
      ],
      { blockRows: 1 },
    )
    const replay = replayOf(stage, [tape])
    await replay.begin()
    const clock = new VirtualClock(SHIFT_MS + 1_000)
    const service = serviceOf(stage, clock, replay)
    expect(service.catchUp()).toBe(SHIFT_MS)
    expect(service.catchUp()).toBe(SHIFT_MS)
    expect(stage.trades.map(({ price }) => price)).toEqual([3])
    expect(await service.catchUpFully()).toBe(SHIFT_MS + 1_000)
    expect(stage.trades.map(({ price }) => price)).toEqual([3, 4, 5])
  })

  it('reports each recorded trade before it is played, and what is missing before one, in the time of the market', async () => {
    const stage = stageAt(SHIFT_MS)
    const reported: string[] = []
    stage.simulated.listen('BTC_USD', { onTrade: ({ price }) => reported.push(`played ${price}`) })
    const tape = memoryTape([
      [0, 3, 1],
      [SILENCE_MS + 1, 4, 1],
    ])
    const listener = { onRecorded: (time: number, price: number) => void reported.push(`${time} recorded ${price}`) }
    const replay = new PacedReplay(stage.simulated, {
      tapes: [{ tape, longestSilenceMs: SILENCE_MS, listener }],
      shiftMs: SHIFT_MS,
      onError: (error) => reported.push(String(error)),
      onGap: ({ symbol, from, to }) => reported.push(`${to} gap of ${symbol} since ${from}`),
    })
    await replay.begin()
    await serviceOf(stage, new VirtualClock(SHIFT_MS + 1_000), replay).catchUpFully()
    expect(reported).toEqual([
      ...[`${SHIFT_MS} recorded 3`, 'played 3'],
      ...[`${SHIFT_MS + 501} gap of BTC_USD since ${SHIFT_MS}`, `${SHIFT_MS + 501} recorded 4`, 'played 4'],
    ])
  })

  it('reports a tape that cannot be read any further, and goes on without it', async () => {
    const stage = stageAt(SHIFT_MS)
    const whole = memoryTape([[0, 3, 1]])
    const broken: Tape = {
      info: whole.info,
      blocks: async function* read() {
        yield* whole.blocks()
        throw new Error('changed')
      },
    }
    const errors: unknown[] = []
    const replay = replayOf(stage, [broken], errors)
    await replay.begin()
    const clock = new VirtualClock(SHIFT_MS + 1_000)
    expect(await serviceOf(stage, clock, replay).catchUpFully()).toBe(SHIFT_MS + 1_000)
    expect(errors).toEqual([new Error('changed')])
    expect(replay.isOver).toBe(true)
  })

  it('as fast as it can be goes by the time of the tape, then by the machine', async () => {
    const stage = stageAt(SHIFT_MS)
    const rows = Array.from({ length: 5_000 }, (_, index): RecordedRow => [index * 60_000, 3, 1])
    const replay = replayOf(stage, [memoryTape(rows, { blockRows: 1_000 })])
    await replay.begin()
    const clock = new ReplayClock(SHIFT_MS, MACHINE_CLOCK)
    const service = serviceOf(stage, clock, replay)
    const failures: unknown[] = []
    const pump = new ReplayPump(service, replay, clock, (error) => failures.push(error))
    pump.start()
    const times: number[] = []
    while (!replay.isOver) {
      times.push(service.catchUp())
      await new Promise((resolve) => setImmediate(resolve))
    }
    const last = SHIFT_MS + 4_999 * 60_000
    expect(times.every((time) => time <= last)).toBe(true)
    expect(stage.trades).toHaveLength(5_000)
    while (service.catchUp() <= last) await new Promise((resolve) => setTimeout(resolve, 5))
    pump.stop()
    expect(service.catchUp()).toBeLessThan(last + 60_000)
    expect(failures).toEqual([])
  })
})
