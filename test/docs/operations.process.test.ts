/** The files of docs/operations: what they start exists, and what the dashboard shows is measured. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/cli/commands.ts'
import { flagsOf } from '../../src/cli/usage-error.ts'
import { sessionMetrics } from '../../src/server/window/session-metrics.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()

const read = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

const METRICS = sessionMetrics({
  kind: 'live',
  version: '1',
  fills: new Map([['a "b"\n\\', 3]]),
  status: {
    ...{
      time: 2_500,
      startedAt: 1_000,
      baseUrl: 'http://x/v1',
      connection: 'connected',
      stream: 'open',
      dataAt: 2_000,
    },
    budget: {
      general: { limit: 1, remaining: 7, resetInMs: 0 },
      mutations: { limit: 1, remaining: 2, resetInMs: 0 },
    },
    ...{ undecided: [], halts: [], warnings: [], events: [] },
    strategies: [
      {
        ...{ owner: 'a "b"\n\\', state: 'REDUCING', why: '', quoteAsset: 'USD', equity: '0.1000000000000000001' },
        ...{ change: -0.5, positions: [{ asset: 'BTC', qty: '0.3' }], openOrders: [], waiting: 4, runDirectory: '' },
      },
    ],
  },
})

it('writes the metrics of a session, with exact decimals and escaped names', () => {
  const values = METRICS.split('\n').filter((line) => !line.startsWith('#'))
  expect(values).toEqual([
    'papertape_session_info{kind="live",version="1",url="http://x/v1"} 1',
    'papertape_session_start_time_seconds 1',
    'papertape_status_time_seconds 2.5',
    'papertape_market_data_time_seconds 2',
    'papertape_connected 1',
    'papertape_halted_markets 0',
    'papertape_undecided_requests 0',
    'papertape_rate_limit_remaining{bucket="general"} 7',
    'papertape_rate_limit_remaining{bucket="mutations"} 2',
    String.raw`papertape_equity{strategy="a \"b\"\n\\",asset="USD"} 0.1000000000000000001`,
    String.raw`papertape_return_ratio{strategy="a \"b\"\n\\"} -0.5`,
    String.raw`papertape_position{strategy="a \"b\"\n\\",asset="BTC"} 0.3`,
    String.raw`papertape_session_state{strategy="a \"b\"\n\\",state="ACTIVE"} 0`,
    String.raw`papertape_session_state{strategy="a \"b\"\n\\",state="REDUCING"} 1`,
    String.raw`papertape_session_state{strategy="a \"b\"\n\\",state="HALTED"} 0`,
    String.raw`papertape_open_orders{strategy="a \"b\"\n\\"} 0`,
    String.raw`papertape_waiting_requests{strategy="a \"b\"\n\\"} 4`,
    String.raw`papertape_fills_total{strategy="a \"b\"\n\\"} 3`,
    '',
  ])
})

describe('docs/operations', () => {
  const names = new Set(METRICS.match(/^papertape_\w+/gm))

  it.each(['operations.md', 'operations/grafana.json'])('%s names metrics that a session has', (file) => {
    const named = read(file).match(/papertape_\w+/g) ?? []
    expect(named.length).toBeGreaterThan(9)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })

  const commands = [
    ...['papertape-live@.service', 'papertape-serve.service'].map(
      (file) => /papertape\.js (.*)/.exec(read(`operations/${file}`))?.[1]?.split(' ') ?? [],
    ),
    ...Array.from(read('operations/compose.yml').matchAll(/command:\s*(\[[^\]]*\])/g), ([, list = '']) => {
      return JSON.parse(list.replaceAll("'", '"').replace(/,\s*\]/, ']')) as string[]
    }),
  ]

  it('has five commands', () => {
    expect(commands.map(([command]) => command)).toEqual(['live', 'serve', 'serve', 'paper', 'live'])
  })

  it.each(commands.map((words) => [words.join(' '), words] as const))('starts what exists: %s', async (_, words) => {
    expect(commandOf(words)).toBeDefined()
    const flags = Object.keys(await flagsOf(words))
    const given = words.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? [])
    expect(given.filter((flag) => !flags.includes(flag))).toEqual([])
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  it.runIf(hasSystemd)('has units that systemd accepts', () => {
    mkdirSync(join(folder, 'units'))
    for (const name of ['papertape-live@.service', 'papertape-serve.service']) {
      // Node may stand elsewhere on this machine.
      const unit = read(`operations/${name}`).replace('/usr/bin/node', process.execPath)
      writeFileSync(join(folder, 'units', name), unit)
      const said = spawnSync('systemd-analyze', ['verify', join(folder, 'units', name)], { encoding: 'utf8' })
      expect(said.stderr).not.toContain(name)
    }
  })
})

describe('the entry point of the image', () => {
  const started = (...args: readonly string[]): string => {
    const node = join(folder, 'node')
    writeFileSync(node, '#!/bin/sh\nif [ "$1" = -p ]; then echo drawn; else echo "$PAPERTAPE_ADMIN_TOKEN|$*"; fi\n')
    chmodSync(node, 0o755)
    const script = new URL('../../scripts/container.sh', import.meta.url).pathname
    const env = { PATH: `${folder}:/usr/bin:/bin`, BEHIND_PROXY: '10.0.0.0/8' }
    return execFileSync('sh', [script, ...args], { env, encoding: 'utf8' }).trim()
  }
  const SERVE = 'drawn|/app/bin/papertape.js serve --host 0.0.0.0 --port 8080 --behind-proxy 10.0.0.0/8'

  it.each([
    [[], SERVE],
    [['serve'], SERVE],
    [['--state', '/state/x y.db'], `${SERVE} --state /state/x y.db`],
    [['serve', '--virtual-clock'], `${SERVE} --virtual-clock`],
    [['backtest', 'grid', '--tape', 'a.csv'], '|/app/bin/papertape.js backtest grid --tape a.csv'],
    [['--help'], '|/app/bin/papertape.js --help'],
  ])('%j', (args, expected) => {
    expect(started(...args)).toBe(expected)
  })
})
