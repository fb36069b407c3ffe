import { describe, expect, it } from 'vitest'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const start = emulators()
const QUIET = { virtualClock: true, config: { agents: false } } as const
const PAUSE = '/emulator/markets/BTC_USD/pause'

describe('a paused market', () => {
  it('refuses orders by its name and the reason, lets them be cancelled and read, and leaves other markets alone', async () => {
    const emulator = await start(QUIET)
    const key = keyOf(emulator)
    const { json: resting } = await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    const paused = await ask(emulator, PAUSE, { body: { reason: 'maintenance' } })
    expect(paused).toMatchObject({ status: 200, json: { symbol: 'BTC_USD', paused: true, reason: 'maintenance' } })
    expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({
      status: 422,
      json: { error: { code: 'ORDER_REJECTED', message: 'market BTC_USD is paused: maintenance' } },
    })
    const inEth = { ...LIMIT_BUY, symbol: 'ETH_USD' }
    expect(await ask(emulator, '/orders', { key, body: inEth })).toMatchObject({ status: 201 })
    const { id } = resting as { id: string }
    expect(await ask(emulator, `/orders/${id}`, { key, method: 'DELETE' })).toMatchObject({ status: 200 })
    expect(await ask(emulator, '/markets/BTC_USD/ticker')).toMatchObject({ status: 200 })
    expect(await ask(emulator, PAUSE, { method: 'DELETE' })).toMatchObject({ status: 200, json: { paused: false } })
    expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({ status: 201 })
  })

  it('has no trades of agents either, and is open again after a reset', async () => {
    const emulator = await start({ virtualClock: true })
    const trades = async (): Promise<unknown> => (await ask(emulator, '/markets/BTC_USD/trades?limit=1')).json
    await emulator.pause('BTC_USD')
    const before = await trades()
    await emulator.advance(600_000)
    expect(await trades()).toEqual(before)
    expect(await ask(emulator, '/emulator/markets')).toMatchObject({
      json: [{ symbol: 'BTC_USD', paused: true, reason: 'by its operator' }, { paused: false }],
    })
    await emulator.resume('BTC_USD')
    await emulator.advance(600_000)
    expect(await trades()).not.toEqual(before)
    await emulator.pause('BTC_USD', 'again')
    await emulator.reset()
    expect(await ask(emulator, '/emulator/markets')).toMatchObject({ json: [{ paused: false }, { paused: false }] })
  })

  it('must exist', async () => {
    const emulator = await start(QUIET)
    await expect(emulator.pause('DOGE_USD')).rejects.toThrow('symbol')
    await expect(emulator.resume('DOGE_USD')).rejects.toThrow('symbol')
    expect(await ask(emulator, PAUSE, { body: { reason: '' } })).toMatchObject({ status: 400 })
  })
})
