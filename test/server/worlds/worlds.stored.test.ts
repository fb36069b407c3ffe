/** Snapshots of an emulator with a state: in files next to it, and loaded for good. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const { folder: base } = temporaryFiles()
const folder = (): string => mkdtempSync(join(base, 'world-'))
const start = emulators()
const key = `pt_aaaaaaaa_${'a'.repeat(43)}`
const config = {
  agents: false,
  users: [
    {
      email: 'a@example.com',
      verified: true,
      credits: { USD: '100000' },
      keys: [{ scopes: ['ORDER_READ', 'ORDER_CREATE'], key }],
    },
  ],
} as const

const openOrders = async (emulator: Parameters<typeof ask>[0]): Promise<number> =>
  (await ask<readonly unknown[]>(emulator, '/orders/open', { key })).json.length

describe('an emulator with a state', () => {
  it('keeps its snapshots and the world that was loaded over a restart', async () => {
    const state = join(folder(), 'exchange.db')
    const emulator = await start({ state, config })
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    await emulator.snapshots.save('one')
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    await emulator.snapshots.load('one')
    await ask(emulator, '/orders', { key, body: LIMIT_BUY })
    await emulator.close()
    const again = await start({ state, config })
    expect(await openOrders(again)).toBe(2)
    expect((await again.snapshots.list()).map(({ name }) => name)).toEqual(['one'])
    await again.snapshots.load('one')
    expect(await openOrders(again)).toBe(1)
    const branch = await again.branch({ name: 'b' })
    await ask(branch, '/orders', { key, body: LIMIT_BUY })
    expect([await openOrders(branch), await openOrders(again)]).toEqual([2, 1])
    await again.snapshots.remove('one')
    expect(readdirSync(`${state}-snapshots`)).toEqual([])
  })

  it('names the file of a snapshot that is damaged, and ignores one that was not finished', async () => {
    const state = join(folder(), 'exchange.db')
    const emulator = await start({ state, config })
    await emulator.snapshots.save('one')
    await emulator.close()
    const file = join(`${state}-snapshots`, 'one.world.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(`${file}.new`, text.slice(0, 100))
    await (await start({ state, config })).close()
    writeFileSync(file, text.replace('user-1', 'user-2'))
    await expect(start({ state, config })).rejects.toThrow(`${file}: is damaged`)
  })

  it('begins with an exported world only if its state is new', async () => {
    const source = await start({ config })
    await ask(source, '/orders', { key: keyOf(source), body: LIMIT_BUY })
    await source.snapshots.save('one')
    const world = join(folder(), 'one.json')
    writeFileSync(world, await source.snapshots.export('one'))
    const state = join(folder(), 'new.db')
    const emulator = await start({ state, world })
    expect(await openOrders(emulator)).toBe(1)
    await emulator.close()
    await expect(start({ state, world })).rejects.toThrow(
      'world: needs a new file for state: this one has a world already',
    )
    await expect(start({ world, config })).rejects.toThrow('world: has its own users')
    const fresh = await start({ world })
    await ask(fresh, '/orders', { key, body: LIMIT_BUY })
    await fresh.reset()
    expect(await openOrders(fresh)).toBe(1)
  })

  it('does not make a deleted user of the config again', async () => {
    const state = join(folder(), 'exchange.db')
    const emulator = await start({ state, config })
    await emulator.deleteUser('user-1')
    await emulator.addUser({ email: 'A@example.com' })
    await emulator.close()
    const again = await start({ state, config })
    expect(again.users.map(({ id, email }) => [id, email])).toEqual([['user-2', 'A@example.com']])
  })

  it('plays a recorded tape without saving or loading, and branches from a snapshot', async () => {
    const state = join(folder(), 'exchange.db')
    const tape = join(folder(), 'tape.csv')
    writeFileSync(tape, 'time,price,qty,side\n1704067200000,100,1,buy\n1704067260000,101,1,sell\n')
    const terms = {
      pricePrecision: 2,
      qtyPrecision: 4,
      makerFeeBps: '0',
      takerFeeBps: '0',
      selfTrade: 'reject',
    } as const
    const traded = { ...config, markets: [{ symbol: 'BTC_USD', name: 'Bitcoin', ...terms }] }
    const own = await start({ state, config: traded })
    await own.snapshots.save('a')
    await own.close()
    const replay = [{ symbol: 'BTC_USD', file: tape }]
    const emulator = await start({ state, config: traded, replay })
    await expect(emulator.snapshots.save('b')).rejects.toThrow('follows recorded trades or a live service')
    await expect(emulator.snapshots.load('a')).rejects.toThrow('start a branch from the snapshot')
    expect((await emulator.branch({ name: 'a', snapshot: 'a' })).markets).toHaveLength(1)
  })
})
