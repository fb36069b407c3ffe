/** Attacks on snapshots, branches, scenarios and accounts: names that are paths, bombs, and loops that fill memory. */
import { describe, expect, it } from 'vitest'
import type { Emulator } from '../../../src/server/emulator/emulator.ts'
import { ask, emulators } from '../rig/emulator-caller.ts'

const start = emulators()
const QUIET = { virtualClock: true, config: { agents: false } } as const
const FAULT = { do: 'fault', fault: { fault: 'delay', route: 'GET /markets', count: 1, ms: 0 } } as const

const post = async (emulator: Emulator, path: string, body: string, method = 'POST'): Promise<number> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(emulator.emulatorUrl + path, { method, headers, body })
  const text = await response.text()
  // An error of the service itself would say less.
  if (response.status >= 400) expect(text).toMatch(/"code":"(?:VALIDATION_ERROR|MALFORMED_JSON)"/)
  return response.status
}

const isWell = async (emulator: Emulator): Promise<void> => {
  expect((await ask(emulator, '/emulator/audit')).json).toMatchObject({ ok: true })
}

describe('a name', () => {
  const NAMES = [
    '..',
    '.',
    '../x',
    '..\\x',
    '/etc/passwd',
    'a/../../x',
    'a\0',
    'a\n',
    '%2e%2e',
    'é',
    ' ',
    '',
    'a'.repeat(65),
  ]

  it.each(NAMES)('%j is no name of a snapshot or branch, and no path', async (name) => {
    const emulator = await start(QUIET)
    for (const path of ['/snapshots', '/branches'])
      expect(await post(emulator, path, JSON.stringify({ name }))).toBe(400)
    const inPath = encodeURIComponent(name)
    for (const [method, path] of [
      ['GET', `/snapshots/${inPath}`],
      ['DELETE', `/snapshots/${inPath}`],
      ['DELETE', `/branches/${inPath}`],
    ] as const) {
      const { status } = await fetch(emulator.emulatorUrl + path, { method })
      expect([400, 404, 405]).toContain(status)
    }
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is one like any other', async (name) => {
    const emulator = await start(QUIET)
    const isName = !name.startsWith('_')
    for (const path of ['/snapshots', '/branches'])
      expect(await post(emulator, path, `{"name":"${name}"}`)).toBe(isName ? 201 : 400)
    expect((await emulator.snapshots.list()).map((each) => each.name)).toEqual(isName ? [name] : [])
    await isWell(emulator)
  })
})

describe('an imported file', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const file = (world: string): string => `{"papertapeWorld":1,"digest":"${'0'.repeat(64)}","world":${world}}`

  it.each([
    ['nested arrays', file(nested)],
    ['nested objects', file(deep)],
    ['a nested file', deep],
    ['no object', '7'],
    ['a prototype', file('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')],
    ['a list as long as the limit allows', file(`[${'0,'.repeat(2_000_000)}0]`)],
    ['a key given twice', '{"digest":"a","digest":"b"}'],
  ])('with %s is refused, and nothing breaks', async (_, content) => {
    const emulator = await start(QUIET)
    expect(await post(emulator, '/snapshots', `{"name":"bomb","file":${content}}`)).toBe(400)
    expect({}).not.toHaveProperty('polluted')
    expect(await emulator.snapshots.list()).toEqual([])
    await isWell(emulator)
  })
})

it.each([
  ['/scenarios', '{"ready":"__proto__","market":"BTC_USD"}'],
  ['/scenarios', '{"ready":"flash-crash","market":"__proto__"}'],
  ['/scenarios', `{"steps":[{"do":"fault","fault":${'['.repeat(5_000)}${']'.repeat(5_000)}}]}`],
  ['/scenarios', '{"steps":[{"do":"move","symbol":"BTC_USD","percent":1e999,"over":"1m"}]}'],
  ['/scenarios', '{"steps":[{"do":"pause","symbol":"BTC_USD","for":"99999999999999d"}]}'],
  ['/users/user-1/reset', '{"credits":{"USD":"1e400"}}'],
  ['/users/user-1/clone', '{"email":"\\u0000"}'],
  ['/markets/BTC_USD/pause', 'null'],
  ['/markets/BTC_USD/pause', `{"reason":"${'a'.repeat(10_000)}"}`],
])('%s refuses %s', async (path, body) => {
  const emulator = await start(QUIET)
  expect(await post(emulator, path, body)).toBe(400)
  await isWell(emulator)
})

describe('a loop of a client is stopped by a limit', () => {
  it('of snapshots, and replaces and deletes go on', async () => {
    const emulator = await start(QUIET)
    for (let number = 0; number < 1_000; number += 1) await emulator.snapshots.save(`s${number}`)
    await expect(emulator.snapshots.save('more')).rejects.toThrow('name: there are 1000 snapshots already')
    await emulator.snapshots.save('s0', { replace: true })
    await emulator.snapshots.remove('s1')
    await emulator.snapshots.save('more')
  })

  it('of branches', async () => {
    const emulator = await start(QUIET)
    await Promise.all(Array.from({ length: 200 }, (_, number) => emulator.branch({ name: `b${number}` })))
    await expect(emulator.branch({ name: 'more' })).rejects.toThrow('name: there are 200 branches already')
  })

  it('of faults and of actions to come, and a scenario without room for its faults does not stop the market', async () => {
    const emulator = await start(QUIET)
    for (let number = 0; number < 1_000; number += 1) await emulator.fault(FAULT.fault)
    await expect(emulator.fault(FAULT.fault)).rejects.toThrow('fault: 1000 faults are planned already')
    const steps = Array.from({ length: 1_000 }, () => ({ ...FAULT, after: '1m' }))
    for (let number = 0; number < 50; number += 1) await emulator.play({ steps })
    await expect(emulator.play({ steps })).rejects.toThrow('steps: more than 50000 actions would be to come')
    await emulator.advance(60_000)
    expect((await emulator.faults()).length).toBe(1_000)
    await isWell(emulator)
  })
})
