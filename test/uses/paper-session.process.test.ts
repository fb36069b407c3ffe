/**
 * A paper session on a service: it trades on its own account, comes back from a lost stream and a service that is gone
 * for a while, places nothing there, and leaves a page.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunReport } from '../../src/report/run/run-report.ts'
import { SessionProcess } from '../cli/live/rig/session-process.ts'
import { eventually } from '../cli/live/rig/patience.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { servers } from '../cli/rig/serving.ts'

const { folder, write } = cliFolder()
const serve = servers()

const STRATEGY = `import { defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'
export default defineStrategy({
  name: 'in-and-out',
  params: z.object({}),
  run: ({ candles, buyMarket, sellMarket }) => candles('BTC_USD', '1s').pipe(
    map((_, index) => (index % 2 === 0 ? buyMarket('BTC_USD', '0.01') : sellMarket('BTC_USD', '0.01'))),
  ),
})
`

it('goes on where the service was gone, and ends with books that balance', async () => {
  const file = write(STRATEGY, 'in-and-out.ts')
  const state = join(folder, 'exchange.db')
  const first = serve(['--json', '--state', state])
  const service = await first.line()
  const out = join(folder, 'paper')
  const session = new SessionProcess({
    command: 'paper',
    strategies: [file],
    url: service.baseUrl,
    cwd: folder,
    out,
    state: '',
    args: ['--credit', '10000:USD'],
  })
  await session.started()
  await eventually(
    () => session.stdout.includes('"fill"'),
    () => session.output,
  )
  await fetch(`${service.emulatorUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault: 'stream-drop', route: 'GET /ws', count: 1 }),
  })
  await first.stop('SIGKILL')
  await session.until('"warning"')
  await serve(['--json', '--state', state, '--port', new URL(service.baseUrl).port]).line()
  const seen = session.stdout.split('"fill"').length
  await eventually(
    () => session.stdout.split('"fill"').length > seen + 1,
    () => session.output,
  )
  expect(await session.stop('SIGINT'), session.output).toBe(0)

  const report: RunReport = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  expect(report).toMatchObject({ failure: null, audit: { ok: true } })
  expect(report.fills).toBeGreaterThanOrEqual(3)
  expect(existsSync(join(out, 'report.html'))).toBe(true)
  const placed = await fetch(`${service.baseUrl}/orders`, { headers: { 'x-api-key': service.users[0]?.keys[0] ?? '' } })
  expect(await placed.json()).toEqual([])
})
