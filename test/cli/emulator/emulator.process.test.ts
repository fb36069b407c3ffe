/** `papertape emulator` against `papertape serve`: snapshots and branches, also where the server is killed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Chance } from '../../exchange/rig/chance.ts'
import { ask, LIMIT_BUY } from '../../server/rig/emulator-caller.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { servers, type ServerLine } from '../rig/serving.ts'

const { folder, write, cli } = cliFolder()
const start = servers()
const key = `pt_aaaaaaaa_${'a'.repeat(43)}`
const scopes = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL']
const user = { email: 'a@example.com', verified: true, credits: { USD: '100000000' }, keys: [{ scopes, key }] }
const limits = { general: 100_000, mutations: 100_000, windowSeconds: 60 }
const QUIET = ['--json', '--config', write(JSON.stringify({ agents: false, users: [user], limits }), 'quiet.json')]

const openOrders = async (line: ServerLine): Promise<number> =>
  (await ask<readonly unknown[]>(line, '/orders/open', { key })).json.length

describe('papertape emulator', () => {
  it('saves, compares, exports, loads and branches', async () => {
    const line = await start(QUIET).line()
    const emulator = (...args: readonly string[]): ReturnType<typeof cli> =>
      cli('emulator', ...args, '--url', line.baseUrl)
    expect((await emulator('snapshot', 'save', 'before')).stdout).toMatch(
      /^saved snapshot before: 2\S+, users: 1, their open orders: 0, without agents\n$/,
    )
    await ask(line, '/orders', { key, body: LIMIT_BUY })
    expect((await emulator('snapshot', 'diff', 'before')).stdout).toContain(
      'order 1 of user-1: new, BUY 0.5 BTC_USD at 10000.00, 0 filled\n',
    )
    const file = join(folder, 'now.json')
    await emulator('snapshot', 'save', 'now')
    expect((await emulator('snapshot', 'export', 'now', file)).stdout).toBe(`wrote ${file}\n`)
    expectInputError(await emulator('snapshot', 'export', 'now', file), /now\.json: .*exist/)
    expect(readFileSync(file, 'utf8')).not.toContain(key)
    expect((await emulator('snapshot', 'load', 'before')).code).toBe(0)
    expect(await openOrders(line)).toBe(0)
    expect((await emulator('snapshot', 'import', 'again', file)).stdout).toContain('added snapshot again: ')
    const branch = JSON.parse((await emulator('branch', 'start', 'b', '--snapshot', 'again', '--json')).stdout)
    expect(await openOrders(branch)).toBe(1)
    expect((await emulator()).stdout).toMatch(/BTC_USD: open\n[^]*snapshot before: [^]*branch b of again: http/)
    expect((await emulator('branch', 'close', 'b')).stdout).toBe('closed branch b\n')
    expectInputError(await emulator('snapshot', 'load', 'nope'), /there is no snapshot 'nope'/)
    const other = await start(['--world', file, '--json']).line()
    expect(await openOrders(other)).toBe(1)
  })

  it('never sends a hash as the token, nor hashes it again', async () => {
    const { stdout } = await cli('emulator', 'hash-token', '--json')
    const { hash } = JSON.parse(stdout) as { hash: string }
    const env = { PAPERTAPE_ADMIN_TOKEN: hash }
    for (const args of [[], ['hash-token'], ['snapshot', 'list']]) {
      const refused = await runCli(['emulator', ...args], { cwd: folder, env })
      expectInputError(refused, /PAPERTAPE_ADMIN_TOKEN: is a hash: give the token itself/)
      expect(refused.stderr).not.toContain(hash)
    }
    const ofFlag = await cli('emulator', 'hash-token', '--admin-token', hash)
    expectInputError(ofFlag, /--admin-token: is a hash: give the token itself/)
  })

  it('plays a ready scenario and one of a file', async () => {
    const line = await start(['--json', '--virtual-clock']).line()
    const scenario = (...args: readonly string[]): ReturnType<typeof cli> =>
      cli('emulator', 'scenario', ...args, '--url', line.emulatorUrl)
    const { stdout } = await scenario('play', 'flash-crash', 'ETH_USD')
    expect(stdout.split('\n').length).toBeLessThan(10)
    expect(stdout).toContain('2024-01-01T00:01:30.000Z ETH_USD: all agents withdraw\n')
    expect((await scenario('stop')).code).toBe(0)
    const pause = { do: 'pause', after: '10m', symbol: 'BTC_USD', for: '5m', reason: 'news' }
    const file = write(JSON.stringify({ steps: [pause] }), 'scenario.json')
    expect((await scenario('play', file)).stdout).toBe(
      '2024-01-01T00:10:00.000Z BTC_USD: paused, news\n2024-01-01T00:15:00.000Z BTC_USD: resumed\n',
    )
    expect((await scenario()).stdout).toContain('BTC_USD: paused, news\n')
    const source = `
      import type { Scenario } from 'papertape/emulator'
      const reasons: readonly string[] = ['news', 'more news']
      const scenario: Scenario = {
        steps: reasons.map((reason, i) => ({ do: 'pause', after: \`\${i + 1}h\`, symbol: 'ETH_USD', for: '1m', reason })),
      }
      export default scenario`
    expect((await scenario('play', write(source, 'scenario.ts'))).stdout).toContain(
      '2024-01-01T02:00:00.000Z ETH_USD: paused, more news\n',
    )
    expectInputError(await scenario('play', write('export const a = 1', 'none.ts')), /none\.ts: has no scenario: write/)
    expectInputError(await scenario('play', write('export default {', 'torn.ts')), /torn\.ts: cannot be loaded: /)
    expectInputError(await scenario('play', './none.mjs'), /^\.\/none\.mjs: cannot be loaded/)
    expectInputError(await scenario('play', file, 'BTC_USD'), /^market: a file names its markets itself/)
    expectInputError(await scenario('play', 'crash'), /ready: .*flash-crash/)
    expectInputError(await scenario('play', './none.json'), /^\.\/none\.json: cannot be read/)
  })

  it('goes back in time, also to before a kill', async () => {
    const args = ['--json', '--config', write(JSON.stringify({ users: [user] }), 'agents.json')]
    const serving = start([...args, '--state', join(folder, 'past.db')])
    const line = await serving.line()
    const prices = async (of: ServerLine): Promise<readonly string[]> =>
      (await ask<readonly { price: string }[]>(of, '/orders/open', { key })).json.map(({ price }) => price)
    const place = async (price: string): Promise<{ id: string; createdAt: string }> =>
      (await ask<{ id: string; createdAt: string }>(line, '/orders', { key, body: { ...LIMIT_BUY, price } })).json
    const first = await place('20000.00')
    // Traders trade meanwhile.
    await setTimeout(500)
    const second = await place('20001.00')
    const rewind = (of: ServerLine, ...more: readonly string[]): ReturnType<typeof cli> =>
      cli('emulator', 'rewind', ...more, '--url', of.baseUrl)
    expect((await rewind(line, '--before-order', second.id)).stdout).toMatch(/^went back to 2\S+Z\n$/)
    expect(await prices(line)).toEqual(['20000.00'])
    await place('20002.00')
    await setTimeout(300)
    await serving.stop('SIGKILL')
    const again = await start([...args, '--state', join(folder, 'past.db')]).line()
    expect(await prices(again)).toEqual(['20002.00', '20000.00'])
    expect((await rewind(again)).stdout).toMatch(/^(?:2\S+Z to 2\S+Z\n){3}$/)
    expect((await rewind(again, first.createdAt)).code).toBe(0)
    expect(await prices(again)).toEqual(['20000.00'])
    expect((await rewind(again, '--before-order', first.id)).code).toBe(0)
    expect(await prices(again)).toEqual([])
    expectInputError(
      await rewind(again, '2020-01-01'),
      /time: 2020-01-01T00:00:00.000Z is not in the past that is kept/,
    )
    expectInputError(await rewind(again, 'yesterday'), /^time: expected a date/)
    expectInputError(await rewind(again, '2020-01-01', '--before-order', '1'), /expected a time, or the order/)
  })

  it('asks for the token of a server that has one, and takes it from the environment', async () => {
    const line = await start([...QUIET, '--admin-token', 'secret']).line()
    const url = ['--url', line.emulatorUrl]
    expectInputError(await cli('emulator', 'snapshot', ...url), /--admin-token: .*PAPERTAPE_ADMIN_TOKEN/)
    expect((await cli('emulator', 'snapshot', ...url, '--admin-token', 'secret')).stdout).toBe('no snapshots\n')
  })

  const kills = Number(process.env.WORLD_KILLS ?? 5)
  it(
    `loses nothing that it confirmed in ${kills} kills, and nothing is half done`,
    { timeout: 3_600_000 },
    async () => {
      const chance = new Chance(Number(process.env.WORLD_SEED ?? 1))
      const state = join(folder, 'killed.db')
      const saved = new Map<string, number>()
      let orders = 0
      /** Orders that there may be as well, because the last action was not confirmed. */
      let orElse = 0
      const refused: unknown[] = []
      const done = async (line: ServerLine, path: string, question: Parameters<typeof ask>[2]): Promise<void> => {
        const answer = await ask(line, path, question)
        if (answer.status >= 400) refused.push(answer)
      }
      for (let kill = 0; kill <= kills; kill += 1) {
        const serving = start([...QUIET, '--state', state])
        const line = await serving.line()
        const found = await openOrders(line)
        expect([orders, orElse]).toContain(found)
        orders = orElse = found
        const listed = await ask<{ name: string; openOrders: number }[]>(line, '/emulator/snapshots')
        const counts = new Map(listed.json.map((each) => [each.name, each.openOrders]))
        for (const [name, count] of saved) expect([name, counts.get(name)]).toEqual([name, count])
        for (const [name, count] of counts) saved.set(name, count)
        const killed = setTimeout(chance.below(400)).then(() => serving.stop('SIGKILL'))
        try {
          for (let action = 0; ; action += 1) {
            const names = [...saved.keys()]
            const name = names[chance.below(names.length + 1)]
            if (chance.below(3) > 0) {
              orElse = orders + 1
              await done(line, '/orders', { key, body: LIMIT_BUY })
            } else if (name === undefined) {
              const fresh = `k${kill}-${action}`
              await done(line, '/emulator/snapshots', { body: { name: fresh } })
              saved.set(fresh, orders)
            } else {
              orElse = saved.get(name) ?? 0
              await done(line, `/emulator/snapshots/${name}/load`, { method: 'POST' })
            }
            orders = orElse
          }
        } catch {
          // The server is gone, as it should.
        }
        await killed
      }
      expect(refused).toEqual([])
      expect(saved.size).toBeGreaterThan(0)
    },
  )
})
