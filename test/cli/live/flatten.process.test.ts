/**
 * Getting flat by the shipped command: `papertape live flatten` beside a session and without one, `--at-limit flatten`
 * and `--at-exit flatten`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { BIN, CODE_CACHE } from '../rig/run-cli.ts'
import { liveCases, RESTS, strategyOf, WATCHES, type CaseOptions, type LiveCase } from './rig/live-cases.ts'
import { refusal } from './rig/hostile-proxy.ts'
import { eventually, pause } from './rig/patience.ts'

const inCase = liveCases()
const flattening = (title: string, body: (stage: LiveCase) => Promise<void>, options: CaseOptions = {}): void => {
  it.concurrent(title, () => inCase(options, body))
}

interface Flattened {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function flatten({ venue, proxy, folder }: LiveCase, ...args: readonly string[]): Promise<Flattened> {
  const given = ['live', 'flatten', '--state', `${folder}/state`, '--url', proxy.url, ...args]
  const env = { PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1', ...CODE_CACHE, PAPERTAPE_API_KEY: venue.key }
  const child = spawn(process.execPath, [BIN, ...given], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/** Buys at the first trade, bids below, lets a stop wait, and buys again after each sell. */
const HOLDS = strategyOf(
  'holds',
  `merge(
      c.trades('BTC_USD').pipe(first(), mergeMap(() => [c.buyMarket('BTC_USD', '1'), c.buyLimit('BTC_USD', '20000.00', '0.01'), c.stopSell('BTC_USD', '10000.00', '0.01')])),
      c.fills$.pipe(tap((f) => c.log('filled ' + f.side + ' ' + f.qty.toFixed())), filter((f) => f.side === 'SELL'), map(() => c.buyMarket('BTC_USD', '0.1'))),
    )`,
)

/** The next session of the same name, which places nothing itself. */
const holdsNothing = strategyOf('holds', 'NEVER')

const btcOf = async ({ venue }: LiveCase): Promise<number> => {
  const { BTC = { available: '0', locked: '0' } } = await venue.balances()
  return Number(BTC.available) + Number(BTC.locked)
}

const BOUGHT = 'filled BUY'

const SOLD = expect.stringMatching(/^cancelled order \S+\nsold 1 BTC at market in BTC_USD\n$/) as string

/** A session that bought 1 BTC on an account that had 10. */
async function holding(stage: LiveCase, args: readonly string[] = []): Promise<ReturnType<LiveCase['start']>> {
  await stage.venue.crowdOrder({ side: 'SELL', price: '42000.00', qty: '1' })
  const session = stage.start(HOLDS, { args: ['--timeout-ms', '1000', '--reconcile-ms', '3000', ...args] })
  await session.started()
  await stage.venue.trade('42000.00', '0.001')
  await session.until(BOUGHT)
  await eventually(async () => (await stage.venue.openOrders()).length === 1, () => session.output) // prettier-ignore
  expect(await btcOf(stage)).toBe(11)
  return session
}

flattening('a thin book takes the position in pieces, and nothing else of the account is touched', async (stage) => {
  const { venue } = stage
  const session = await holding(stage)
  const foreign = await venue.foreignOrder({ side: 'SELL', price: '90000.00', qty: '2' })
  await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '0.3' })
  const dry = await flatten(stage, '--dry-run', '--json')
  expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([
    0,
    { openOrders: [{ owner: 'holds' }], sells: [{ asset: 'BTC', qty: '1', owner: 'holds' }] },
  ])
  expect(await flatten(stage)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string })
  expect(await btcOf(stage)).toBe(11)
  const done = flatten(stage, '--yes')
  await session.until('filled SELL 0.3')
  await venue.crowdOrder({ side: 'BUY', price: '40000.00', qty: '5' })
  expect(await done).toMatchObject({ code: 0, stdout: SOLD })
  expect(await btcOf(stage)).toBe(10)
  expect((await venue.openOrders()).map(({ id }) => id)).toEqual([foreign.id])
  expect(session.events('state').at(-1)).toMatchObject({ state: 'HALTED' })
  expect(await session.stop()).toBe(0)
})

flattening('a sell without an answer is settled first, and never sold twice', async (stage) => {
  const { venue, proxy } = stage
  const session = await holding(stage)
  await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '5' })
  let isLost = false
  proxy.hooks = {
    onAnswer: (_, { method, body }) => {
      if (isLost || method !== 'POST' || !body.includes('"SELL"')) return undefined
      isLost = true
      return 'reset'
    },
  }
  expect(await flatten(stage, '--yes')).toMatchObject({ code: 0, stdout: SOLD })
  expect([isLost, await btcOf(stage)]).toEqual([true, 10])
  expect(await session.stop()).toBe(0)
})

flattening('a sell whose answer is older than its fill is never sold twice', async (stage) => {
  const { venue, proxy } = stage
  const session = await holding(stage)
  await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '5' })
  proxy.hooks = {
    onAnswer: (answer, { method, path }) => {
      if (method !== 'POST' || !path.startsWith('/orders')) return undefined
      const order = JSON.parse(answer.body.toString()) as object
      return { ...answer, body: JSON.stringify({ ...order, status: 'OPEN', filledQty: '0', averagePrice: undefined }) }
    },
  }
  expect(await flatten(stage, '--yes')).toMatchObject({ code: 0, stdout: SOLD })
  expect(await btcOf(stage)).toBe(10)
  const sells = (await venue.allOrders()).filter(({ side }) => side === 'SELL')
  expect(sells.map(({ qty }) => Number(qty))).toEqual([1])
  expect(await session.stop()).toBe(0)
})

flattening('pieces become smaller until the service takes them', async (stage) => {
  const { venue, proxy } = stage
  const session = await holding(stage)
  await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '5' })
  proxy.hooks = {
    onRequest: ({ method, body }) => {
      const { side, qty } = method === 'POST' ? (JSON.parse(body) as { side: string; qty: string }) : {}
      return side === 'SELL' && Number(qty) > 0.3 ? refusal(422, 'NO_LIQUIDITY') : undefined
    },
  }
  expect(await flatten(stage, '--yes')).toMatchObject({ code: 0 })
  expect(await btcOf(stage)).toBe(10)
  expect(await session.stop()).toBe(0)
})

flattening(
  'a sell to get flat finds no bids: after a kill, without a session, what is left is named',
  async (stage) => {
    const { venue } = stage
    const session = await holding(stage)
    await session.kill()
    await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '0.4' })
    const some = await flatten(stage, '--yes', '--json', '--within', '3s')
    expect(some.code).toBe(3)
    expect(JSON.parse(some.stdout)).toEqual({
      isFlat: false,
      cancelled: [expect.any(String)],
      sold: [{ asset: 'BTC', symbol: 'BTC_USD', qty: '0.4' }],
      left: [{ asset: 'BTC', qty: '0.6', why: expect.stringContaining('NO_LIQUIDITY') as string }],
      openOrders: [],
    })
    expect([await btcOf(stage), await venue.openOrders()]).toEqual([10.6, []])
    await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '5' })
    expect(await flatten(stage, '--yes')).toMatchObject({ code: 0, stdout: 'sold 0.6 BTC at market in BTC_USD\n' })
    expect(await flatten(stage, '--yes')).toMatchObject({ code: 0, stdout: 'nothing to sell\n' })
    expect(await btcOf(stage)).toBe(10)
  },
)

flattening('--whole-account also cancels and sells what no session placed or bought', async (stage) => {
  const { venue } = stage
  const session = await holding(stage)
  await venue.foreignOrder({ side: 'SELL', price: '90000.00', qty: '2' })
  await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '20' })
  expect(await flatten(stage, '--yes', '--whole-account')).toMatchObject({ code: 0 })
  expect([await btcOf(stage), await venue.openOrders()]).toEqual([0, []])
  expect(await session.stop()).toBe(0)
})

flattening('a limit of losses sells the position with --at-limit flatten, and the session goes on', async (stage) => {
  const { venue } = stage
  const session = await holding(stage, ['--day-loss', '500', '--at-limit', 'flatten'])
  await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '0.5' })
  await venue.trade('41000.00')
  await session.until('filled SELL')
  await venue.crowdOrder({ side: 'BUY', price: '40000.00', qty: '5' })
  await session.until('BTC at market in BTC_USD"')
  expect([await btcOf(stage), await venue.openOrders()]).toEqual([10, []])
  const states = (): readonly string[] => session.events('state').map(({ state }) => state)
  await eventually(() => states().length === 3, () => session.output) // prettier-ignore
  expect(states()).toEqual(['REDUCING', 'HALTED', 'REDUCING'])
  expect(await session.stop()).toBe(0)
})

flattening('a session that fails while --at-limit flatten sells stops selling, and the others go on', async (stage) => {
  const { venue } = stage
  const breaks = `c.trades('BTC_USD').pipe(filter(({ price }) => price.toFixed(2) === '40999.00'), map(() => { throw new Error('broken') }))`
  await venue.crowdOrder({ side: 'SELL', price: '42000.00', qty: '1' })
  const buys = `c.trades('BTC_USD').pipe(first(), map(() => c.buyMarket('BTC_USD', '1')))`
  const fails = strategyOf('fails', `merge(${buys}, ${breaks})`)
  const session = stage.start([fails, WATCHES], { args: ['--day-loss', '500', '--at-limit', 'flatten'] })
  await session.started()
  await venue.trade('42000.00', '0.001')
  await session.until('"type":"fill"')
  await venue.trade('41000.00')
  await eventually(() => stage.proxy.sent('POST', /^\/orders/).length > 2, () => session.output) // prettier-ignore
  await venue.trade('40999.00')
  await session.until('"type":"ended"')
  const sent = stage.proxy.sent('POST', /^\/orders/).length
  // Longer than the flattening waits before its next piece.
  await pause(6_000)
  expect([session.end, stage.proxy.sent('POST', /^\/orders/).length]).toEqual([undefined, sent])
  await session.stop()
  expect(session.output).not.toContain('all sessions end')
})

flattening(
  '--at-exit flatten sells the position at the end, and names what is left after --stop-timeout',
  async (stage) => {
    const { venue } = stage
    const session = await holding(stage, ['--at-exit', 'flatten', '--stop-timeout', '4s'])
    await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '0.4' })
    expect(await session.stop('SIGHUP')).toBe(3)
    expect(session.report().live).toMatchObject({
      openOrders: [],
      flat: { sold: [{ asset: 'BTC', qty: '0.4' }], left: [{ asset: 'BTC', qty: '0.6' }] },
    })
    expect(session.stderr).toContain('0.6 BTC, which was not sold')
    await venue.crowdOrder({ side: 'BUY', price: '41000.00', qty: '5' })
    const next = stage.start(holdsNothing, { args: ['--at-exit', 'flatten'] })
    await next.started()
    expect(await next.stop()).toBe(0)
    expect([await btcOf(stage), await venue.openOrders()]).toEqual([10, []])
  },
)

flattening(
  'the sells without a session, and the fills before them, are in the files of the next session',
  async (stage) => {
    const { venue, start } = stage
    const first = start(RESTS)
    await first.started()
    await eventually(async () => (await venue.openOrders()).length === 1, () => first.output) // prettier-ignore
    await first.kill()
    await venue.crowdOrder({ side: 'SELL', price: '41000.00', qty: '0.004' })
    await venue.crowdOrder({ side: 'BUY', price: '40900.00', qty: '1' })
    expect(await flatten(stage, '--yes')).toMatchObject({ code: 0 })
    const next = start(strategyOf('rests', 'NEVER'))
    await next.started()
    expect(await next.stop()).toBe(0)
    const fills = (await venue.fills()).map(({ id }) => id)
    expect(fills).toHaveLength(2)
    expect(
      next
        .rows('fills.csv')
        .map((row) => row.trade_id)
        .sort(),
    ).toEqual(fills.sort())
  },
)
