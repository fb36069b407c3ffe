/** Scenarios: troubles of a market at planned times. */
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/time.ts'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const start = emulators()
const START = Date.UTC(2024, 0, 1)

const lastPrice = async (emulator: Emulator, symbol = 'BTC_USD'): Promise<number> =>
  Number((await ask<{ lastPrice: string }>(emulator, `/markets/${symbol}/ticker`)).json.lastPrice)

describe('a scenario', () => {
  it('moves prices, takes agents away and brings them back, each at its time', async () => {
    const emulator = await start({ virtualClock: true, seed: 3 })
    const [before, ofEth] = [await lastPrice(emulator), await lastPrice(emulator, 'ETH_USD')]
    await emulator.play({ ready: 'flash-crash', market: 'BTC_USD' })
    await emulator.advance(MINUTE_MS)
    expect(Math.abs((await lastPrice(emulator)) / before - 1)).toBeLessThan(0.02)
    await emulator.advance(29 * SECOND_MS)
    expect((await lastPrice(emulator)) / before).toBeLessThan(0.95)
    await emulator.advance(2 * SECOND_MS)
    expect(await emulator.book('BTC_USD')).toEqual({ bids: [], asks: [] })
    await emulator.advance(5 * MINUTE_MS)
    const { bids, asks } = await emulator.book('BTC_USD')
    expect([bids.length > 0, asks.length > 0]).toEqual([true, true])
    expect((await lastPrice(emulator)) / before).toBeGreaterThan(0.76)
    expect((await lastPrice(emulator)) / before).toBeLessThan(0.84)
    expect(Math.abs((await lastPrice(emulator, 'ETH_USD')) / ofEth - 1)).toBeLessThan(0.05)
    await emulator.advance(10 * MINUTE_MS)
    expect((await lastPrice(emulator)) / before).toBeGreaterThan(0.87)
    expect((await ask(emulator, '/emulator/scenarios')).json).toEqual([])
  })

  it('pauses markets and plans faults, after a time or at a time of day, until it is stopped', async () => {
    const emulator = await start({ virtualClock: true, config: { agents: false } })
    const key = keyOf(emulator)
    const steps = [
      { do: 'fault', at: '10:00', fault: { fault: 'engine-unavailable', route: 'GET /balances', count: 1 } },
      { do: 'pause', after: '10m', symbol: 'BTC_USD', for: '5m', reason: 'volatility' },
    ]
    const played = await ask(emulator, '/emulator/scenarios', { body: { steps } })
    expect(played).toEqual({
      status: 201,
      json: [
        { time: START + 10 * MINUTE_MS, action: 'BTC_USD: paused, volatility' },
        { time: START + 15 * MINUTE_MS, action: 'BTC_USD: resumed' },
        { time: START + 10 * HOUR_MS, action: 'fault engine-unavailable at GET /balances' },
      ],
    })
    await emulator.advance(12 * MINUTE_MS)
    expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({ status: 422 })
    await emulator.snapshots.save('paused')
    await emulator.advance(3 * MINUTE_MS)
    expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({ status: 201 })
    await emulator.advance(10 * HOUR_MS)
    expect(await ask(emulator, '/balances', { key })).toMatchObject({ status: 503 })
    expect(await ask(emulator, '/balances', { key })).toMatchObject({ status: 200 })
    await emulator.snapshots.load('paused')
    expect((await ask<unknown[]>(emulator, '/emulator/scenarios')).json).toHaveLength(2)
    await emulator.advance(3 * MINUTE_MS)
    expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({ status: 201 })
    expect(await ask(emulator, '/emulator/scenarios', { method: 'DELETE' })).toMatchObject({ status: 204 })
    await emulator.advance(10 * HOUR_MS)
    expect(await ask(emulator, '/balances', { key })).toMatchObject({ status: 200 })
    await emulator.play({ steps: [{ do: 'pause', symbol: 'BTC_USD', for: '1h' }] })
    await emulator.reset()
    expect((await ask(emulator, '/emulator/scenarios')).json).toEqual([])
  })

  it('ends withdrawals and pauses that overlap at the last of their ends', async () => {
    const emulator = await start({ virtualClock: true, seed: 5 })
    const symbol = 'BTC_USD'
    const steps = [
      { do: 'withdraw', after: '1m', symbol, for: '5m' },
      { do: 'withdraw', after: '3m', symbol, for: '6m' },
      { do: 'pause', after: '10m', symbol, for: '5m', reason: 'long' },
      { do: 'pause', after: '11m', symbol, for: '2m', reason: 'short' },
    ] as const
    await emulator.play({ steps })
    const reason = async (): Promise<string | undefined> =>
      (await ask<readonly { reason?: string }[]>(emulator, '/emulator/markets')).json[0]?.reason
    const bids = async (): Promise<number> => (await emulator.book(symbol)).bids.length
    await emulator.advance(7 * MINUTE_MS)
    expect(await bids()).toBe(0)
    await emulator.advance(3 * MINUTE_MS - SECOND_MS)
    expect(await bids()).toBeGreaterThan(0)
    const reasons: (string | undefined)[] = []
    for (let minute = 10; minute < 16; minute += 1) {
      await emulator.advance(MINUTE_MS)
      reasons.push(await reason())
    }
    expect(reasons).toEqual(['long', 'short', 'short', 'long', 'long', undefined])
  })

  it("leaves the operator's pause, whether it begins before or during its own", async () => {
    const emulator = await start({ virtualClock: true, config: { agents: false } })
    const reason = async (): Promise<string | undefined> =>
      (await ask<readonly { reason?: string }[]>(emulator, '/emulator/markets')).json[0]?.reason
    const scenario = { steps: [{ do: 'pause', after: '1m', symbol: 'BTC_USD', for: '1m' }] } as const
    await emulator.play(scenario)
    await emulator.advance(90 * SECOND_MS)
    expect(await reason()).toBe('by a scenario')
    await emulator.pause('BTC_USD', 'maintenance')
    await emulator.advance(MINUTE_MS)
    await emulator.play(scenario)
    await emulator.advance(90 * SECOND_MS)
    expect(await reason()).toBe('maintenance')
    await emulator.advance(MINUTE_MS)
    expect(await reason()).toBe('maintenance')
  })

  it('gets the same bytes again from a snapshot in the middle of it', async () => {
    const emulator = await start({ virtualClock: true, seed: 4 })
    await emulator.play({ ready: 'news-shock', market: 'ETH_USD' })
    await emulator.advance(80 * SECOND_MS)
    await emulator.snapshots.save('middle')
    const told = async (): Promise<unknown> => {
      await emulator.advance(20 * MINUTE_MS)
      return (await ask(emulator, '/markets/ETH_USD/trades?limit=100')).json
    }
    const first = await told()
    await emulator.snapshots.load('middle')
    expect(await told()).toEqual(first)
  })

  it.each([
    [1_000, 41_000_000, 43_000_000],
    [-99, 41, 43],
  ])('of %i %% again and again still leaves a market that trades', async (percent, least, most) => {
    const emulator = await start({ virtualClock: true })
    const steps = Array.from({ length: 40 }, (_, index) => {
      return { do: 'news', after: `${5 * index + 1}s`, symbol: 'BTC_USD', percent } as const
    })
    await emulator.play({ steps })
    await emulator.advance(5 * MINUTE_MS)
    expect(await lastPrice(emulator)).toBeGreaterThan(least)
    expect(await lastPrice(emulator)).toBeLessThan(most)
    expect((await emulator.audit()).ok).toBe(true)
  })

  it.each([
    [{ steps: [] }, 'steps'],
    [{ steps: Array(20).fill({ do: 'move', symbol: 'BTC_USD', percent: 1, over: '1h' }) }, 'steps'],
    [{ steps: [{ do: 'news', symbol: 'BTC_USD', percent: -100 }] }, 'steps.0.percent'],
    [{ steps: [{ do: 'pause', symbol: 'DOGE_USD', for: '1m' }] }, 'symbol'],
    [{ steps: [{ do: 'pause', symbol: 'BTC_USD', for: 'soon' }] }, 'steps.0.for'],
    [{ steps: [{ do: 'pause', symbol: 'BTC_USD', for: '1m', at: '10:00', after: '1m' }] }, 'at'],
    [{ steps: [{ do: 'pause', symbol: 'BTC_USD', for: '1m', at: '25:00' }] }, 'steps.0.at'],
    [{ steps: [{ do: 'fault', fault: { fault: 'delay', route: 'GET /nowhere', count: 1 } }] }, 'route'],
    [{ steps: [{ do: 'withdraw', symbol: 'BTC_USD', for: '1m' }] }, 'symbol'],
    [{ ready: 'nothing', market: 'BTC_USD' }, 'ready'],
  ])('%j is 400 naming %s, and nothing of it is played', async (body, field) => {
    const emulator = await start({ virtualClock: true, config: { agents: false } })
    expect(await ask(emulator, '/emulator/scenarios', { body })).toMatchObject({
      status: 400,
      json: { error: { details: [{ field }] } },
    })
    expect((await ask(emulator, '/emulator/scenarios')).json).toEqual([])
  })
})
