import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { describe, expect, it } from 'vitest'
import { MARKET_DATA_SETTINGS } from '../../../../src/adapter/live/market-data/market-data-settings.ts'
import { TradeFeed, type TradeFeedListener } from '../../../../src/adapter/live/market-data/trade-feed.ts'
import type { WireTrade } from '../../../../src/wire/wire-trade.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { faultOfReported, GOOD, SYMBOL, TradeAdversary, type Badness, type Reported } from './rig/trade-adversary.ts'

const SEQUENCES = 1_000
const STEPS = 40
/** As long as the slowest of the reads that find everything. */
const QUIET_MS = 90_000

interface Outcome {
  readonly fault: string | undefined
  readonly reported: readonly Reported[]
  readonly feed: TradeFeed
  readonly market: TradeAdversary
  readonly seen: readonly string[]
  readonly first: number
  readonly bursts: number
}

const randomOf = (seed: number): (() => number) => {
  const generator = xoroshiro128plus(seed)
  return () => uniformFloat64(generator)
}

const badnessOf = (random: () => number): Badness => {
  const some = (most: number): number => (random() < 0.5 ? 0 : random() * most)
  return {
    drop: some(0.2),
    double: some(0.3),
    permute: some(0.4),
    permuteMs: random() < 0.5 ? 0 : Math.floor(random() * 1_500),
    fail: some(0.5),
    stale: some(0.5),
    readMs: random() < 0.3 ? 0 : Math.floor(random() * 3_000),
  }
}

/** One seeded life of a feed. @param wrong  on purpose, to see that it is found out */
async function live(seed: number, confirm: 'stream' | 'rest', wrong?: Wrong): Promise<Outcome> {
  const random = randomOf(seed)
  const time = new FakeLiveTime()
  const market = new TradeAdversary(time, random, badnessOf(random))
  const reported: Reported[] = []
  const seen: string[] = []
  const listener: TradeFeedListener = {
    onSeen: ({ id }) => seen.push(id),
    onTrade: (trade) => wrong?.isNaive === true || reported.push({ type: 'trade', trade }),
    onGap: (from, to) => wrong?.isSilent === true || reported.push({ type: 'gap', from, to }),
    onBegin: () => undefined,
    onAhead: () => undefined,
    onSilent: () => undefined,
    onCurrent: () => undefined,
    onFault: () => undefined,
  }
  const settings = { ...MARKET_DATA_SETTINGS, confirm }
  const feed = new TradeFeed({ symbol: SYMBOL, reads: market, isStreamed: true, time, random, settings, listener })
  market.trade(Math.floor(random() * 30))
  feed.start()
  while (!feed.isBegun) await time.pass(100)
  const unknown = market.truth.findIndex(({ id }) => !feed.sequence.has(id))
  const first = unknown < 0 ? market.truth.length : unknown
  const deliver = (trade: WireTrade): void => {
    if (wrong?.isNaive === true) reported.push({ type: 'trade', trade })
    feed.onStreamTrade(trade)
  }
  const connect = (): void => {
    market.connect(deliver)
    feed.onSubscribed()
  }
  const disconnect = (): void => {
    market.disconnect()
    feed.onNoStream()
  }
  let bursts = 0
  for (let step = 0; step < STEPS; step += 1) {
    const dice = random()
    if (dice < 0.08) (market.isConnected ? disconnect : connect)()
    else if (dice < 0.1) {
      market.trade(500 + Math.floor(random() * 200))
      bursts += 1
    } else if (dice < 0.7) market.trade(1 + Math.floor(random() * 4))
    await time.pass(random() < 0.4 ? 0 : Math.floor(random() * 800))
  }
  market.badness = GOOD
  if (!market.isConnected) connect()
  market.trade()
  await time.pass(QUIET_MS)
  feed.close()
  const fault = faultOfReported(market, first, reported, confirm === 'rest' ? 'strict' : 'gaps')
  return { fault, reported, feed, market, seen, first, bursts }
}

interface Wrong {
  /** Reports what comes by the stream as it comes, and nothing else. */
  readonly isNaive?: boolean
  /** Keeps gaps to itself. */
  readonly isSilent?: boolean
}

describe.each(['stream', 'rest'] as const)(
  'trades of a stream that permutes, doubles, drops and breaks (%s)',
  (confirm) => {
    it('each trade is reported once, in order, and a gap says what was not reported', async () => {
      const reached = {
        reported: 0,
        gaps: 0,
        dropped: 0,
        doubled: 0,
        permuted: 0,
        failed: 0,
        stale: 0,
        bursts: 0,
        missed: 0,
      }
      for (let seed = 1; seed <= SEQUENCES; seed += 1) {
        const { fault, feed, market, bursts, seen, first } = await live(seed, confirm)
        if (fault !== undefined) throw new Error(`seed ${seed}, ${confirm}: ${fault}`)
        expect(new Set(seen).size, `seed ${seed}: seen twice`).toBe(seen.length)
        const lost = market.truth.length - first - seen.length
        if (bursts === 0) expect(lost, `seed ${seed}: not seen`).toBe(0)
        reached.reported += feed.counts.reported
        reached.gaps += feed.counts.gaps
        reached.missed += feed.counts.missed
        reached.bursts += bursts
        for (const [kind, count] of Object.entries(market.done)) reached[kind as keyof typeof market.done] += count
      }
      for (const [kind, count] of Object.entries(reached)) expect(count, kind).toBeGreaterThan(0)
    })
  },
)

describe('the check itself', () => {
  it.each<[string, Wrong]>([
    ['who tells the stream as it comes', { isNaive: true }],
    ['who keeps gaps to itself', { isSilent: true }],
  ])('%s is found out', async (_who, wrong) => {
    let faults = 0
    for (let seed = 1; seed <= 20; seed += 1) faults += (await live(seed, 'stream', wrong)).fault === undefined ? 0 : 1
    expect(faults).toBeGreaterThan(5)
  })
})
