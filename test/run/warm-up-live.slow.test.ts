/**
 * The warm-up of a session in real time, live and on paper, before an emulator that has half an hour behind it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
// eslint-disable-next-line papertape/no-clock -- the sessions run on the machine's
import { setTimeout as sleep } from 'node:timers/promises'
import { map } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MACHINE_CLOCKS } from '../../src/adapter/live/machine-clocks.ts'
import { live } from '../../src/run/live.ts'
import { paper } from '../../src/run/paper.ts'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import { buyMarket } from '../../src/strategy/orders.ts'
import { defineStrategy, type Strategy } from '../../src/strategy/strategy.ts'
import type { Warmup } from '../../src/strategy/warmup.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const MINUTE = 60_000
const SYMBOL = 'BTC_USD'

const files = temporaryFiles()
let emulator: Emulator
let runs = 0

beforeEach(async () => {
  emulator = await startEmulator({
    virtualClock: true,
    start: Math.floor(MACHINE_CLOCKS.wall()) - 30 * MINUTE,
    seed: 3,
  })
  await emulator.advance(30 * MINUTE)
})

afterEach(async () => {
  await emulator.close()
})

interface Seen {
  /** How many strategies have begun. */
  lives: number
  /** That passed in the market meanwhile. */
  minutes: number
  readonly candles: number[]
  readonly said: string[]
}

/** Buys at every candle, and plots its time. */
const buyer = (seen: Seen, warmup?: Warmup): Strategy =>
  defineStrategy({
    name: 'buyer',
    params: z.object({ symbol: z.string() }),
    ...(warmup !== undefined && { warmup }),
    run: ({ params: { symbol }, candles, market, plot }) => {
      seen.lives += 1
      return candles(symbol, '1m').pipe(
        map(({ time }) => {
          seen.candles.push(time)
          plot('candle', time)
          return buyMarket(symbol, market(symbol).lotSize)
        }),
      )
    },
  })

/**
 * Until the session has begun and reports that the past is over, where it has one; then two minutes of the market, or
 * until it has seen as many candles of the present. Without a past a session on paper makes its candles by the time of
 * this machine, so none is waited for.
 */
async function goOn(seen: Seen, hasPast: boolean, run: Promise<unknown>): Promise<void> {
  const session = { isOver: false }
  const end = (): void => {
    session.isOver = true
  }
  const ended = run.then(end, end)
  const isPresent = (): boolean =>
    seen.lives > 0 && (!hasPast || seen.said.some((message) => message.includes('were not sent')))
  while (!isPresent() && !session.isOver) await sleep(20)
  const past = seen.candles.length
  const isEnough = (): boolean => session.isOver || (hasPast ? seen.candles.length >= past + 2 : seen.minutes >= 2)
  while (!isEnough()) {
    seen.minutes += 1
    await emulator.advance(MINUTE)
    await Promise.race([sleep(700), ended])
  }
}

const out = (): string => join(files.folder, `run-${(runs += 1)}`)

/** Of the last session. */
const plotted = (): readonly number[] =>
  readFileSync(join(files.folder, `run-${runs}`, 'plots.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => Number(row.split(',')[2]))

async function liveSession(seen: Seen, warmup: Warmup | undefined, asked?: string): Promise<number> {
  const end = new AbortController()
  const directory = out()
  const run = live({
    strategies: [{ strategy: buyer(seen, warmup) }],
    url: emulator.baseUrl,
    apiKey: emulator.users[0]?.keys[0] ?? '',
    symbol: SYMBOL,
    out: directory,
    state: `${directory}-state`,
    signal: end.signal,
    terms: asked === undefined ? {} : { warmupMs: asked },
    listener: { onLog: (_, __, message) => void seen.said.push(message) },
  })
  await goOn(seen, warmup !== undefined || asked !== undefined, run)
  end.abort()
  const { sessions } = await run
  return sessions[0]?.report.orders ?? -1
}

async function paperSession(seen: Seen, warmup: Warmup | undefined, asked?: string): Promise<number> {
  const end = new AbortController()
  const run = paper({
    strategy: { strategy: buyer(seen, warmup) },
    url: emulator.baseUrl,
    symbol: SYMBOL,
    out: out(),
    dataDirectory: files.folder,
    random: () => 0.5,
    terms: { makerFeeBps: '0', takerFeeBps: '0', ...(asked !== undefined && { warmupMs: asked }) },
    signal: end.signal,
    listener: { onLog: (_, message) => void seen.said.push(message) },
  })
  await goOn(seen, warmup !== undefined || asked !== undefined, run)
  end.abort()
  const ended = await run
  return ended?.report.orders ?? -1
}

describe.each([
  ['live', liveSession],
  ['on paper', paperSession],
] as const)('a strategy with a warm-up, %s,', (_, session) => {
  it('sees the past first, each candle once, and sends what it wants from the present on', async () => {
    const seen: Seen = { lives: 0, minutes: 0, candles: [], said: [] }
    const orders = await session(seen, { '1m': 20 })
    const [first = 0] = seen.candles
    expect(seen.candles).toEqual(seen.candles.map((__, index) => first + index * MINUTE))
    expect(seen.candles.length).toBeGreaterThanOrEqual(20)
    expect(orders).toBeGreaterThan(0)
    expect(orders).toBeLessThanOrEqual(seen.minutes + 2)
    expect(seen.said.join()).toMatch(/warm-up: (19|2\d) orders were not sent/)
    const present = plotted()
    expect(orders).toBeLessThanOrEqual(present.length)
    expect(present).toEqual(seen.candles.slice(-present.length))
    expect(seen.candles.length - present.length).toBeGreaterThanOrEqual(19)
  })

  it('gets a message when the past does not reach back as far as the user wants', async () => {
    const seen: Seen = { lives: 0, minutes: 0, candles: [], said: [] }
    await session(seen, undefined, '30d')
    expect(seen.candles.length).toBeGreaterThanOrEqual(28)
    expect(seen.candles.length).toBeLessThanOrEqual(1_004)
    expect(seen.said.join()).toMatch(/warm-up: the 1m candles of BTC_USD reach back only to .*, not to .* as requested/)
  })

  it('that throws in the past ends, and has sent nothing', async () => {
    const seen: Seen = { lives: 0, minutes: 0, candles: [], said: [] }
    seen.candles.push = () => {
      throw new Error('broken in the past')
    }
    expect(await session(seen, { '1m': 20 })).toBe(0)
  })

  it('sees no past that no one wants', async () => {
    const seen: Seen = { lives: 0, minutes: 0, candles: [], said: [] }
    await session(seen, undefined)
    expect(seen.candles.length).toBeLessThanOrEqual(4)
    expect(seen.said).toEqual([])
  })
})
