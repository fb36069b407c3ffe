/** `papertape serve --mirror`: a bot trades on paper at the prices of another service, which it never touches. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from '../../server/rig/emulator-caller.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolder } from '../rig/run-cli.ts'
import { servers, type ServerLine } from '../rig/serving.ts'

const { cli, folder } = cliFolder()
const start = servers()

type Json = Readonly<Record<string, unknown>>

const keyOf = ({ users: [user] }: ServerLine): string => user?.keys[0] ?? ''

const SLOW = { timeout: 30_000 }

it('fills an order by trades of the source, pauses its markets while the source is killed, and continues', async () => {
  const sourceArgs = ['--json', '--state', join(folder, 'source.db')]
  const source = start(sourceArgs)
  const sourceLine = await source.line()
  const url = sourceLine.baseUrl
  const mirror = start(['--json', '--mirror', url])
  const line = await mirror.line()
  expect(line.mirror).toBe(url)
  const key = keyOf(line)
  const lastOf = async (server: ServerLine): Promise<number> =>
    Number((await ask<Json>(server, '/markets/BTC_USD/ticker')).json.lastPrice)
  const buy = async (price: string): ReturnType<typeof ask<Json>> => {
    const body = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price, qty: '0.0001' }
    return await ask<Json>(line, '/orders', { key, body })
  }
  // Below every bid of the crowd, until the source's own trades come down to it.
  const { json: resting } = await buy(((await lastOf(sourceLine)) * 0.98).toFixed(2))
  expect(resting).toMatchObject({ status: 'OPEN' })
  const dump = { symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT', price: '1.00', qty: '2' }
  await ask(sourceLine, '/emulator/users/user-1/credits', { body: { asset: 'BTC', amount: '1000' } })
  const read = async (): Promise<Json> => (await ask<Json>(line, `/orders/${String(resting.id)}`, { key })).json
  await expect
    .poll(async () => {
      await ask(sourceLine, '/orders', { key: keyOf(sourceLine), body: { ...dump, qty: '100' } })
      return await read()
    }, SLOW)
    .toMatchObject({ status: 'FILLED' })

  await source.stop('SIGKILL')
  await expect.poll(() => mirror.stderr, SLOW).toContain(`BTC_USD: the market is paused: no market data from ${url}`)
  const message = `market BTC_USD is paused: no market data from ${url}`
  expect((await buy('1.00')).json).toMatchObject({ error: { code: 'ORDER_REJECTED', message } })
  expect(await ask(line, '/markets/BTC_USD/ticker')).toMatchObject({ status: 200 })
  expect(mirror.stderr).toContain(`ETH_USD: the market is paused: no market data from ${url}`)
  start([...sourceArgs, '--port', new URL(url).port])
  await expect.poll(() => mirror.stderr, SLOW).toContain('BTC_USD: the market is open again')
  expect((await buy('1.00')).status).toBe(201)
  expect(await mirror.stop('SIGINT')).toBe(0)
})

it('ends with exit code 3 and the URL if the source is down, and by a signal while it does not answer', async () => {
  const silent = createServer()
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1`
  const waiting = start(['--mirror', url])
  await once(silent, 'connection')
  expect(await waiting.stop('SIGINT')).toBe(0)
  silent.close()
  const { code, stderr } = await cli('serve', '--port', '0', '--mirror', url)
  expect([code, stderr]).toEqual([3, expect.stringContaining(`${url} cannot be mirrored: GET /markets: `)])
})

it('names what to use for a recording', async () => {
  const result = await cli('serve', '--mirror', 'tapes')
  expectInputError(result, "--mirror: expected the URL of a service, got 'tapes'; play a recording with --replay")
})
