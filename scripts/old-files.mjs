/**
 * Writes one file of each kind that papertape saves, for the tests of old files: `test/old-files/` has a folder for
 * each version that changed a format. Run it at a release, and commit what it writes:
 *
 *     npm run build && node scripts/old-files.mjs --out test/old-files/2027-01-15
 *
 * `--papertape PATH` takes the program from another clone, such as a worktree of an older commit. A command that the
 * version does not have is left out, and named.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { out: { type: 'string' }, papertape: { type: 'string', default: join(PROJECT, 'bin/papertape.js') } },
})
if (values.out === undefined) throw new Error('missing --out: the folder to write to')
const place = resolve(values.out)
if (existsSync(place)) throw new Error(`--out: ${place} exists already: remove it first`)
// Runs name their files by absolute paths, which should not be those of somebody's home.
const out = join(tmpdir(), 'papertape-old-files', basename(place))
const program = resolve(values.papertape)
const TRADES = join(PROJECT, 'test/old-files/trades.csv')

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
copyFileSync(TRADES, join(out, 'trades.csv'))
/** @type {Record<string, string | undefined>} */
const env = { ...process.env, PAPERTAPE_CACHE: join(out, '.cache'), NO_COLOR: '1' }
const commands = new Set(
  spawnSync(process.execPath, [program, '--help'], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((line) => /^ {2}(?:papertape )?([a-z]+)\b/.exec(line)?.[1] ?? []),
)

/**
 * Runs a command to its end; says so if the version refuses it.
 *
 * @param {...string} args
 */
function run(...args) {
  if (!commands.has(args[0] ?? '')) {
    console.log(`without ${args[0]}: this version does not have it`)
    return false
  }
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: out, env, encoding: 'utf8' })
  if (status !== 0) console.log(`${args.join(' ')}: ${status} ${stderr.trim().split('\n').at(-1) ?? ''}`)
  return status === 0
}

/**
 * Starts a command, and returns how to stop it as Ctrl-C does.
 *
 * @param {...string} args
 */
function started(...args) {
  const child = spawn(process.execPath, [program, ...args], { cwd: out, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  child.stderr.on('data', (chunk) => (text += chunk))
  const ended = new Promise((done) => child.on('exit', done))
  return {
    text: () => text,
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}

/** @param {...string} args */
async function served(...args) {
  const server = started('serve', '--port', '0', '--json', ...args)
  for (let tries = 0; !server.text().includes('\n'); tries += 1) {
    if (tries > 200) throw new Error(`no server: ${server.text()}`)
    await sleep(100)
  }
  return {
    ...server,
    ...JSON.parse(
      server
        .text()
        .split('\n')
        .find((line) => line.startsWith('{')) ?? '',
    ),
  }
}

const CROSS = ['sma-cross', '--tape', 'BTC_USD=trades.csv']
const FAST = ['--param', 'fast=2', '--param', 'slow=4']
run('backtest', ...CROSS, ...FAST, '--out', 'run', '--quiet', '--no-bounds')
run('backtest', ...CROSS, ...FAST, '--db', 'runs.db', '--quiet', '--no-bounds')
run('sweep', ...CROSS, '--param', 'fast=2,3', '--param', 'slow=4', '--out', 'sweep', '--quiet')
run('expect', 'save', 'cross', '--', 'backtest', ...CROSS, ...FAST, '--no-bounds')
run('import', 'BTC_USD=trades.csv', '--db', 'tapes.db')
run('export', '--db', 'tapes.db', '--symbol', 'BTC_USD', '--out', 'exported.tape')
run('check', 'sma-cross', '--runs', '1')

const state = ['--state', 'state.db', '--virtual-clock', '--replay', 'BTC_USD=trades.csv']
const server = await served(...state)
const key = server.users[0].keys[0]
const order = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '30000.00', qty: '0.010' }
const answer = await fetch(`${server.baseUrl}/orders`, {
  method: 'POST',
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  body: JSON.stringify(order),
})
const placed = await answer.json()
await server.stop()

if (commands.has('emulator')) {
  // A world of agents would take megabytes.
  const config = { markets: [{ symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 5 }], agents: false }
  writeFileSync(join(out, 'world.json'), JSON.stringify(config))
  const emulator = await served('--virtual-clock', '--config', 'world.json')
  run('emulator', 'snapshot', 'save', 'first', '--url', emulator.emulatorUrl)
  run('emulator', 'snapshot', 'export', 'first', 'world.papertape', '--url', emulator.emulatorUrl)
  await emulator.stop()
}

const BUYER = `import { defineStrategy } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'buyer',
  params: z.object({ symbol: z.string() }),
  run: ({ trades, buyLimit, params: { symbol } }) =>
    trades(symbol).pipe(take(2), map(({ price }, index) => buyLimit(symbol, index === 0 ? price : '100.00', '0.01'))),
})
`
writeFileSync(join(out, 'buyer.mjs'), BUYER)
const market = await served('--seed', '7')
if (commands.has('record')) {
  const recorder = started('record', '--symbols', 'BTC_USD', '--url', market.baseUrl, '--out', 'recording')
  await sleep(3_000)
  await recorder.stop()
}
if (commands.has('live')) {
  env.PAPERTAPE_API_KEY = market.users[0].keys[0]
  const options = ['--url', market.baseUrl, '--symbol', 'BTC_USD', '--state', 'live-state', '--out', 'live']
  const live = started('live', 'buyer.mjs', ...options)
  await sleep(6_000)
  await live.stop()
  console.log(`live: ${live.text().trim().split('\n').slice(-3).join(' | ')}`)
}
await market.stop()

for (const name of ['run/report.html', 'live/report.html', 'sweep/report.html', '.cache', 'trades.csv', 'buyer.mjs'])
  rmSync(join(out, name), { recursive: true, force: true })
const MAX_PLAIN_BYTES = 4_096
for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (/\.(?:lock|pid)$|-(?:wal|shm)$/.test(file)) rmSync(file, { force: true })
  else if (entry.isFile() && !file.endsWith('.gz') && statSync(file).size > MAX_PLAIN_BYTES) {
    writeFileSync(`${file}.packed`, gzipSync(readFileSync(file), { level: 9 }))
    rmSync(file)
  }
}
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: dirname(program),
  encoding: 'utf8',
}).stdout.trim()
writeFileSync(join(out, 'made.json'), `${JSON.stringify({ commit, key, order: placed.id })}\n`)
cpSync(out, place, { recursive: true })
rmSync(out, { recursive: true })
