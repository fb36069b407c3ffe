/**
 * Streams while a virtual clock is on its way, which takes many turns of the event loop: how many is the machine's
 * affair, not the market's.
 */
import { expect, it } from 'vitest'
import { ask, emulators } from '../rig/emulator-caller.ts'
import { listenTo } from '../rig/stream-listener.ts'

const HOUR = 3_600_000
const TICKER = 'ticker:BTC_USD'
const TRADES = 'trade:BTC_USD'

const start = emulators()

it('reports one ticker where the clock rests, behind every trade, however many slices it took', async () => {
  const emulator = await start({ virtualClock: true })
  const stream = await listenTo(emulator.streamUrl)
  await stream.subscribe(TICKER, TRADES)
  for (const turn of [1, 2, 3]) {
    await emulator.advance(2 * HOUR)
    // An answer comes after all that was reported before.
    await stream.subscribe(TICKER)
    const tickers = stream.of(TICKER)
    expect(tickers).toHaveLength(turn)
    expect(tickers.at(-1)?.data).toEqual((await ask(emulator, '/markets/BTC_USD/ticker')).json)
  }
  expect(stream.of(TRADES).length).toBeGreaterThan(100)
})

it('reports where it was stopped', async () => {
  const emulator = await start({ virtualClock: true })
  const stream = await listenTo(emulator.streamUrl)
  await stream.subscribe(TICKER)
  const moved = emulator.advance(300 * 24 * HOUR)
  const stopped = expect(moved).rejects.toThrow('stopped')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(stream.of(TICKER)).toEqual([])
  await ask(emulator, '/emulator/clock', { method: 'DELETE' })
  await stopped
  await stream.subscribe(TICKER)
  expect(stream.of(TICKER)).toHaveLength(1)
})
