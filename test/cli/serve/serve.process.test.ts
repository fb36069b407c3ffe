import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { ask, LIMIT_BUY } from '../../server/rig/emulator-caller.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { BIN, cliFolder, MODULES } from '../rig/run-cli.ts'
import { servers, type ServerLine } from '../rig/serving.ts'

const { folder, write, cli } = cliFolder()
const start = servers()

/** Quick to start and quiet: no one trades. */
const QUIET = ['--json', '--config', write('{ "agents": false }', 'quiet.json')]
const KEY = /pt_[0-9a-v]{8}_[A-Za-z0-9_-]{43}/

describe('papertape serve', () => {
  it('prints the addresses, one user and his key once, and that nothing is kept', async () => {
    const serving = start()
    const text = await serving.printed()
    expect(text).toMatch(/^papertape \d+\.\d+\.\d+ is running; press Ctrl-C to stop\n/)
    const [, port = ''] = /^REST +http:\/\/127\.0\.0\.1:(\d+)\/v1$/m.exec(text) ?? []
    expect(text).toMatch(new RegExp(`^stream +ws://127\\.0\\.0\\.1:${port}/v1/ws$`, 'm'))
    expect(text).toMatch(new RegExp(`^window +http://127\\.0\\.0\\.1:${port}/window$`, 'm'))
    expect(text).toMatch(/^markets +BTC_USD, ETH_USD, traded by simulated agents$/m)
    expect(text).toMatch(/^state +in memory only \(use --state FILE to keep it\)$/m)
    expect(text).toMatch(/^user +user-1, trader@example\.com, API key \(shown only once\):$/m)
    expect(text.match(new RegExp(KEY, 'g'))).toHaveLength(1)
    expect(await serving.stop('SIGINT')).toBe(0)
    expect(serving.stderr).toBe('')
  })

  it('leaves no state behind where it cannot write one', () => {
    const state = join(folder, 'full.db')
    const command = 'ulimit -f 2; exec "$0" "$1" serve --port 0 --state "$2"'
    const { status, stderr } = spawnSync('bash', ['-c', command, process.execPath, BIN, state], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${state}: cannot be `)])
    expect(existsSync(state)).toBe(false)
  })

  it('with --json prints one line on stdout, and nothing else there', async () => {
    const serving = start([...QUIET, '--log-level', 'trace'])
    const line = await serving.line()
    const [, port = ''] = /:(\d+)\/v1$/.exec(line.baseUrl) ?? []
    expect(line).toEqual({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      streamUrl: `ws://127.0.0.1:${port}/v1/ws`,
      emulatorUrl: `http://127.0.0.1:${port}/emulator`,
      windowUrl: `http://127.0.0.1:${port}/window`,
      adminToken: null,
      mirror: null,
      users: [{ id: 'user-1', email: 'trader@example.com', keys: [expect.stringMatching(KEY)] }],
    } satisfies ServerLine)
    expect(await ask(line, '/markets')).toMatchObject({ status: 200 })
    expect(await serving.stop()).toBe(0)
    expect(serving.stdout).toBe(`${JSON.stringify(line)}\n`)
  })

  it('logs on stderr, and neither a key nor the token ever', async () => {
    const serving = start([...QUIET, '--log-level', 'trace', '--admin-token', 'open-sesame'])
    const { users, adminToken, ...line } = await serving.line()
    const key = users[0]?.keys[0] ?? ''
    expect(adminToken).toBe('open-sesame')
    expect(await ask(line, '/balances', { key })).toMatchObject({ status: 200 })
    expect(await ask(line, `/markets/${key}/ticker`, { key })).toMatchObject({ status: 404 })
    expect(await ask(line, '/emulator/audit', { key })).toMatchObject({ status: 401 })
    await serving.stop()
    const lines = serving.stderr.trimEnd().split('\n')
    expect(lines.map((each) => JSON.parse(each) as object)).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/v1/balances', status: 200, msg: 'answered' }),
    )
    expect(serving.stderr).not.toMatch(KEY)
    expect(serving.stderr).not.toContain('open-sesame')
  })

  it('keeps with --state what it has answered, also when it is killed', async () => {
    const args = [...QUIET, '--state', join(folder, 'kept.db')]
    const first = start(args)
    const line = await first.line()
    const key = line.users[0]?.keys[0] ?? ''
    const { json: order } = await ask(line, '/orders', { key, body: LIMIT_BUY })
    await first.stop('SIGKILL')
    const second = start(args)
    const again = await second.line()
    expect(again.users).toEqual([{ id: 'user-1', email: 'trader@example.com', keys: [] }])
    expect(await ask(again, '/orders', { key })).toMatchObject({ json: [order] })
    expect(await second.stop()).toBe(0)
  })

  it('replays a tape ten times as fast, as far as the time has come', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `${1_700_000_000_000 + index * 1_000},100,1,buy`)
    write(['time,price,qty,side', ...rows].join('\n'), 'slow.csv')
    const args = ['--json', '--replay', 'BTC_USD=slow.csv', '--speed', '10']
    const line = await start(args, { cwd: folder }).line()
    const trades = async (): Promise<readonly { createdAt: number }[]> =>
      (await ask<{ createdAt: number }[]>(line, '/markets/BTC_USD/trades?limit=500')).json
    while ((await trades()).length < 5) await new Promise((resolve) => setTimeout(resolve, 20))
    const times = (await trades()).map(({ createdAt }) => createdAt)
    expect(times.slice(0, -1).map((time, index) => time - (times[index + 1] ?? 0))).toEqual(
      times.slice(1).map(() => 1_000),
    )
  })
})

it('--help names every flag', async () => {
  const { stdout } = await cli('serve', '--help')
  const flags = 'port host admin-token cors config state replay speed virtual-clock start seed json log-level'
  for (const flag of flags.split(' ')) expect(stdout).toContain(`--${flag} `)
})

describe('a signal', () => {
  it('ends streams with 1001 and lets the process end in order, with requests under way cut', async () => {
    const serving = start(QUIET)
    const { streamUrl, baseUrl } = await serving.line()
    const stream = new WebSocket(streamUrl)
    await new Promise((resolve) => stream.once('open', resolve))
    const closed = new Promise<number>((resolve) => stream.once('close', resolve))
    const half = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    half.on('error', () => undefined)
    half.write('POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const code = serving.stop('SIGTERM')
    expect(await closed).toBe(1001)
    expect(await code).toBe(0)
  })
})

describe('what has to be mended is reported in one line, with exit code 2', () => {
  it.concurrent.each<[args: string, line: string | RegExp]>([
    ['--port 65536', "--port: expected an integer from 0 to 65535, got '65536'"],
    ['--port', '--port: expected a value'],
    ['--prot 1', 'unknown flag --prot; did you mean --port?'],
    ['--json=yes', "--json: expected no value, got 'yes'"],
    ['--log-level loud', /^--log-level: expected trace or .*, got 'loud'$/],
    ['--config none.json', "--config: no such file 'none.json'"],
    ['--config half.json', /^half\.json: .*JSON/],
    ['--config odd.json', 'odd.json users.0.verfied: unknown field'],
    ['--speed 2 --replay a.csv', "--speed: expected 1, 10, max, got '2'"],
    ['--config .', "--config: no such file '.'"],
    ['--config twice.json', 'twice.json: agents: is given twice'],
    ['--config null.json', /^null\.json: Invalid input/],
    ['--replay none.csv', 'none.csv: no such file'],
    ['--replay tape.csv', '--replay: missing symbol of tape.csv: write SYMBOL=tape.csv'],
    ['--replay FOO=tape.csv', /^--replay: expected a symbol of the form BASE_QUOTE .*'FOO'$/],
    ['--speed 10', '--speed: needs --replay'],
    ['--start 2024-01-01', '--start: needs --virtual-clock'],
    ['--virtual-clock --start yesterday', "--start: expected a date from 1970 on, such as 2024-01-01, got 'yesterday'"],
    ['--host 0.0.0.0', '--host: 0.0.0.0 can be reached from other machines: add --admin-token to protect /emulator'],
    [
      '--host 0.0.0.0 --admin-token x',
      /^--host: 0\.0\.0\.0 .*without encryption: add --tls-cert and --tls-key, or .*--behind-proxy/,
    ],
    ['--tls-cert half.json', '--tls-cert: needs --tls-key'],
    ['--behind-proxy 127.0.0.1', '--behind-proxy: needs --admin-token to protect /emulator'],
    ['--behind-proxy proxy --admin-token x', /^--behind-proxy: expected addresses such as .*got 'proxy'$/],
    ['--admin-token x --admin-token-file y', '--admin-token-file: cannot be combined with --admin-token'],
    ['--admin-token-file none', /^--admin-token-file: 'none' cannot be read /],
    ['--audit-log none/audit.log', /^none\/audit\.log: cannot be written /],
    [
      '--host 203.0.113.1 --admin-token x --behind-proxy 127.0.0.1',
      "--host: '203.0.113.1' is not an address of this machine: use 127.0.0.1",
    ],
    ['--port 0 --state none/state.db', /^none\/state\.db: /],
    ['--port 0 --state half.json', /^half\.json: /],
    ['--seed x', "--seed: expected an integer from -2147483648 to 2147483647, got 'x'"],
  ])('papertape serve %s', async (args, line) => {
    write('{ "users": [', 'half.json')
    write('{ "agents": true, "agents": false }', 'twice.json')
    write('null', 'null.json')
    write('time,price,qty\n1700000000000,1,1\n', 'tape.csv')
    write('{ "users": [{ "email": "a@example.com", "verfied": true }] }', 'odd.json')
    expectInputError(await cli('serve', ...args.split(' ')), line)
  })

  it('a port that is taken', async () => {
    const { baseUrl } = await start(QUIET).line()
    const { port } = new URL(baseUrl)
    expectInputError(
      await cli('serve', '--port', port),
      `--port: ${port} is already in use: choose another, or 0 for a free one`,
    )
  })

  it('a state that another process has', async () => {
    const state = join(folder, 'shared.db')
    await start([...QUIET, '--state', state]).line()
    const result = await cli('serve', '--port', '0', ...QUIET, '--state', state)
    expectInputError(result, /shared\.db: /)
  })
})

it('an engine that fails is reported with its stack, leaves its state aside, and ends with exit code 70', async () => {
  const dist = new URL('../../../dist/', import.meta.url).href
  const source = `
    import { InvariantError } from '${dist}domain/errors.js'
    import { MatchingExchange } from '${dist}exchange/matching-exchange.js'
    MatchingExchange.prototype.portfolio = () => { throw new InvariantError('broken on purpose') }
  `
  const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(source)}`]
  const state = join(folder, 'broken.db')
  const serving = start([...QUIET, '--state', state], { nodeFlags, program: MODULES })
  const line = await serving.line()
  const answer = await ask(line, '/portfolio', { key: line.users[0]?.keys[0] })
  expect(answer).toMatchObject({ status: 503, json: { error: { code: 'PORTFOLIO_UNAVAILABLE' } } })
  expect(JSON.stringify(answer)).not.toContain('purpose')
  expect(await serving.ended()).toBe(70)
  expect(serving.stderr).toContain('InvariantError: broken on purpose\n    at ')
  const [, aside = ''] = /^the state was saved in (.+)$/m.exec(serving.stderr) ?? []
  expect(aside).toMatch(/broken\.db\.failed-/)
  expect(readFileSync(aside).subarray(0, 15).toString()).toBe('SQLite format 3')
})

it('a tape that changes while it is played ends the server with exit code 2', async () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => `${1_700_000_000_000 + index * 1_000},100,1,buy`)
  const file = write(['time,price,qty,side', ...rows, ''].join('\n'), 'changing.csv')
  const serving = start(['--json', '--virtual-clock', '--replay', `BTC_USD=${file}`])
  const line = await serving.line()
  writeFileSync(file, readFileSync(file, 'utf8').replace('1700190000000,100,1,buy', '1700190000000,101,1,buy'))
  await ask(line, '/emulator/clock', { body: { advanceMs: 200_000_000 } })
  expect(await serving.ended()).toBe(2)
  expect(serving.stderr).toContain(`${file}: the file changed while it was being read`)
})
