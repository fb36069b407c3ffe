/** Accounts that are frozen, reset, cloned and deleted. */
import { expect, it } from 'vitest'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const start = emulators()
const QUIET = { virtualClock: true, config: { agents: false } } as const
const NONE = { available: '0', locked: '0' }

it('a frozen account cannot order, and can cancel and read', async () => {
  const emulator = await start(QUIET)
  const key = keyOf(emulator)
  const { json } = await ask<{ id: string }>(emulator, '/orders', { key, body: LIMIT_BUY })
  expect(await ask(emulator, '/emulator/users/user-1/freeze', { method: 'POST' })).toMatchObject({
    status: 200,
    json: { id: 'user-1', frozen: true },
  })
  expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({
    status: 403,
    json: { error: { code: 'FORBIDDEN', message: 'the account is frozen' } },
  })
  expect(await ask(emulator, '/orders/open', { key })).toMatchObject({ json: [{ id: json.id }] })
  expect(await ask(emulator, `/orders/${json.id}`, { key, method: 'DELETE' })).toMatchObject({ status: 200 })
  await emulator.freeze('user-1', false)
  expect(await ask(emulator, '/emulator/users')).toMatchObject({ json: [{ id: 'user-1' }] })
  expect(await ask(emulator, '/orders', { key, body: LIMIT_BUY })).toMatchObject({ status: 201 })
})

it('a reset account has the given balances and no orders, or is as before after a wrong amount', async () => {
  const emulator = await start(QUIET)
  const key = keyOf(emulator)
  await ask(emulator, '/orders', { key, body: LIMIT_BUY })
  await emulator.credit('user-1', 'BTC', '3')
  await expect(emulator.resetUser('user-1', { USD: '5', BTC: '-1' })).rejects.toThrow('credits.BTC')
  await expect(emulator.resetUser('user-1', { DOGE: '1' })).rejects.toThrow('DOGE')
  expect((await ask<unknown[]>(emulator, '/orders/open', { key })).json).toHaveLength(1)
  expect(await emulator.resetUser('user-1', { USD: '5' })).toMatchObject({ USD: { available: '5' } })
  expect(await ask(emulator, '/balances', { key })).toMatchObject({ json: { USD: { available: '5', locked: '0' } } })
  expect((await ask<unknown[]>(emulator, '/orders/open', { key })).json).toEqual([])
  expect((await ask<unknown[]>(emulator, '/orders', { key })).json).toHaveLength(1)
  expect((await emulator.audit()).assets).toMatchObject({ BTC: { credited: '0' }, USD: { credited: '5' } })
})

it('a clone has the balances, locked ones too; a deleted account has nothing, and its id is not used again', async () => {
  const emulator = await start(QUIET)
  const key = keyOf(emulator)
  await ask(emulator, '/orders', { key, body: LIMIT_BUY })
  expect(await emulator.cloneUser('user-1', 'clone@example.com')).toBe('user-2')
  expect(await emulator.credit('user-2', 'USD', '0.5')).toMatchObject({ USD: { available: '100000.5', locked: '0' } })
  await expect(emulator.cloneUser('user-1', 'Clone@example.com')).rejects.toThrow('exists already')
  await emulator.snapshots.save('before')
  await emulator.deleteUser('user-1')
  expect(await ask(emulator, '/balances', { key })).toMatchObject({ status: 401 })
  expect(await ask(emulator, '/emulator/users')).toMatchObject({ json: [{ id: 'user-2' }] })
  expect(await emulator.book('BTC_USD')).toEqual({ bids: [], asks: [] })
  expect((await emulator.audit()).assets.USD).toMatchObject({ held: '100000.5', difference: '0' })
  expect(await emulator.addUser({ email: 'trader@example.com' })).toMatchObject({ id: 'user-3' })
  await expect(emulator.deleteUser('user-1')).rejects.toThrow('no such user')
  await emulator.snapshots.save('after')
  await emulator.snapshots.load('before')
  expect(await ask(emulator, '/balances', { key })).toMatchObject({ status: 200, json: { BTC: NONE } })
  await emulator.snapshots.load('after')
  expect(await emulator.addUser({ email: 'd@example.com' })).toMatchObject({ id: 'user-4' })
})
