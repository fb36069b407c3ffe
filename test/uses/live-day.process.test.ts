/**
 * A day of live trading on the emulator, both as they are shipped: orders of somebody else, a lost stream, a sleep, a
 * kill, a start with the same state, Ctrl-C; and then what the files and the page say of it, beside what the service
 * says.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { RunReport } from '../../src/report/run/run-report.ts'
import { SessionProcess } from '../cli/live/rig/session-process.ts'
import { eventually } from '../cli/live/rig/patience.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { servers, type ServerLine } from '../cli/rig/serving.ts'

const { cli, folder, write } = cliFolder()
const serve = servers()

/** Buys a little at every start, and keeps one order far below the market. */
const STRATEGY = `import { defineStrategy } from 'papertape'
import { merge, map, take } from 'rxjs'
import { z } from 'zod'
export default defineStrategy({
  name: 'day',
  params: z.object({}),
  run: ({ trades, buyMarket, buyLimit }) => merge(
    trades('BTC_USD').pipe(take(1), map(() => buyMarket('BTC_USD', '0.01'))),
    trades('BTC_USD').pipe(take(1), map(() => buyLimit('BTC_USD', '11000.00', '0.02'))),
  ),
})
`

interface Order {
  readonly id: number | string
  readonly price?: string
}

interface Fill {
  readonly qty: string
  readonly price: string
}

/** @returns the body, once the service has answered well */
async function ask<Body>(service: ServerLine, path: string, body?: object): Promise<Body> {
  const key = service.users[0]?.keys[0] ?? ''
  const answer = await fetch(`${service.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true)
  return (await answer.json()) as Body
}

const openAt = async (service: ServerLine, price: string): Promise<number> =>
  (await ask<Order[]>(service, '/orders/open')).filter((order) => Number(order.price) === Number(price)).length

/** Hundredths of a hundred millionth, so that sums are exact. */
const units = (text: string): bigint => {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(8, '0'))
}
const sumOf = (quantities: readonly string[]): bigint => quantities.reduce((sum, qty) => sum + units(qty), 0n)

const column = (file: string, name: string): readonly string[] => {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split(',')[header.split(',').indexOf(name)] ?? '')
}

it('goes on through all of it, and its books are those of the service', async () => {
  const file = write(STRATEGY, 'day.ts')
  const service = await serve(['--json']).line()
  const session = (out: string): SessionProcess =>
    new SessionProcess({
      strategies: [file],
      url: service.baseUrl,
      key: service.users[0]?.keys[0],
      cwd: folder,
      out: join(folder, out),
      state: join(folder, 'state'),
    })
  const first = session('morning')
  await first.started()
  await eventually(
    async () => (await openAt(service, '11000')) === 1,
    () => first.output,
  )
  await eventually(
    async () => (await ask<Fill[]>(service, '/trades')).length > 0,
    () => first.output,
  )

  await ask(service, '/orders', { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '12000.00', qty: '0.01' })
  await fetch(`${service.emulatorUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault: 'stream-drop', route: 'GET /ws', count: 1 }),
  })
  first.child.kill('SIGSTOP')
  await setTimeout(5_000)
  first.child.kill('SIGCONT')
  await first.until('was placed by another program')
  await setTimeout(2_000)
  expect(first.end, first.output).toBeUndefined()

  first.child.kill('SIGKILL')
  await first.ended
  const second = session('afternoon')
  await second.started()
  // Its own order of the morning is taken over and cancelled at the end; it places one more.
  await eventually(
    async () => (await openAt(service, '11000')) >= 1,
    () => second.output,
  )
  await eventually(
    () => second.stdout.includes('"fill"'),
    () => second.output,
  )
  expect(await second.stop('SIGINT'), second.output).toBe(0)

  expect([await openAt(service, '11000'), await openAt(service, '12000')]).toEqual([0, 1])
  const fills = await ask<Fill[]>(service, '/trades')
  const reported = ['morning', 'afternoon'].flatMap((out) =>
    existsSync(join(folder, out, 'fills.csv')) ? column(join(folder, out, 'fills.csv'), 'qty') : [],
  )
  expect(sumOf(reported)).toBe(sumOf(fills.map(({ qty }) => qty)))
  const report: RunReport = JSON.parse(readFileSync(join(folder, 'afternoon/run.json'), 'utf8'))
  expect(report.failure).toBeNull()
  expect(existsSync(join(folder, 'afternoon/report.html'))).toBe(true)
  const { code, stdout } = await cli('report', 'afternoon', '--out', 'day.html', '--json')
  expect({ code, page: stdout.includes('day.html') }).toEqual({ code: 0, page: true })
})
