import { writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import type { CliResult } from './rig/cli-result.ts'
import { runCli } from './rig/run-cli.ts'
import { servers } from './rig/serving.ts'

const { folder } = temporaryFiles()
const serve = servers()

it('shows balances, orders and fills of an account, and cancels orders', async () => {
  const { baseUrl, users } = await serve(['--json']).line()
  const key = users[0]?.keys[0] ?? ''
  const account = (...args: readonly string[]): Promise<CliResult> =>
    runCli(['account', ...args], { cwd: folder, env: { PAPERTAPE_API_KEY: key } })
  const place = async (body: object): Promise<string> => {
    const response = await fetch(`${baseUrl}/orders`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ symbol: 'BTC_USD', ...body }),
    })
    return ((await response.json()) as { id: string }).id
  }
  const low = await place({ side: 'BUY', type: 'LIMIT', price: '100.00', qty: '1' })
  const middle = await place({ side: 'BUY', type: 'LIMIT', price: '200.00', qty: '0.5' })
  const high = await place({ side: 'BUY', type: 'LIMIT', price: '300.00', qty: '0.25' })

  writeFileSync(join(folder, 'papertape.config.json'), JSON.stringify({ live: { url: baseUrl } }))
  const shown = await account()
  rmSync(join(folder, 'papertape.config.json'))
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^equity {2}100,000 USD, valued with prices of /)
  expect(shown.stdout).toMatch(/\nUSD +99,725 +275 +100,000 +1 +100,000\n/)
  expect(shown.stdout).toMatch(RegExp(`\\n${low} +BTC_USD +BUY +LIMIT +OPEN +100.00 +1.00000000 +0.00000000 +- +2`))
  const last = await account('orders', '--symbol', 'BTC_USD', '--limit', '1', '--url', baseUrl, '--json')
  expect(JSON.parse(last.stdout)).toMatchObject([{ id: high, price: '300.00', qty: '0.25000000', status: 'OPEN' }])
  expect((await account('fills', '--url', baseUrl)).stdout).toBe('no fills\n')

  const some = await account('cancel', middle, 'x1', '--url', baseUrl)
  expect(some).toMatchObject({ code: 3, stderr: '' })
  expect(some.stdout).toContain(`cancelled order ${middle}: BUY 0.50000000 BTC_USD at 200.00, 0.00000000 filled\n`)
  expect(some.stdout).toContain('order x1: no such order (ORDER_NOT_FOUND)\n')
  const all = await account('cancel', '--all', '--json', '--url', baseUrl)
  const outcomes = JSON.parse(all.stdout) as { readonly orderId: string; readonly type: string }[]
  expect([all.code, outcomes.map(({ orderId, type }) => `${type} ${orderId}`).toSorted()]).toEqual([
    0,
    [low, high].map((id) => `cancelled ${id}`).toSorted(),
  ])
  expect((await account('cancel', high, '--url', baseUrl)).code).toBe(0)
  expect((await account('cancel', '--all', '--url', baseUrl)).stdout).toBe('no open orders\n')

  const refusals: readonly [readonly string[], string][] = [
    [['cancel'], 'orders: expected the ids of orders, or --all for every open one'],
    [['cancel', low, '--symbol', 'BTC_USD'], '--symbol: only goes with --all'],
    [['fills', '--limit', '501'], "--limit: expected a whole number from 1 to 500, got '501'"],
    [['orders', '--symbol', 'X_Y'], "--symbol: the service lists no market 'X_Y', only BTC_USD, ETH_USD"],
  ]
  const refused = await Promise.all(refusals.map(([args]) => account(...args, '--url', baseUrl)))
  expect(refused).toEqual(refusals.map(([, message]) => ({ code: 2, stdout: '', stderr: `papertape: ${message}\n` })))
  expect((await account('--url', 'http://127.0.0.1:1/v1')).code).toBe(3)
})
