/**
 * Files that earlier versions wrote, each opened by the commands of today: it opens, or it is refused by name.
 *
 * `test/old-files` has a folder for each day after which a format changed, made by `scripts/old-files.mjs`; a new one
 * belongs there with each release.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolder, runCli } from './rig/run-cli.ts'
import { servers, Serving } from './rig/serving.ts'

const CORPUS = join(import.meta.dirname, '../old-files')
const PACKED = '.packed'
const FOLDERS = readdirSync(CORPUS).filter((name) => !name.endsWith('.csv'))
/** The only one with snapshots of format 1. */
const OLDEST = '2026-11-22'
const NEWEST = FOLDERS.toSorted().at(-1) ?? ''

const { folder } = cliFolder()
const serve = servers()

const STATE_ENGLISH = 'no requests with an unknown outcome and no open orders'
const CROSS = ['sma-cross', '--quiet', '--param', 'fast=2', '--param', 'slow=4']

interface Opening {
  /** Needed file; a version without it is not asked. */
  readonly file: string
  readonly args: readonly string[]
  readonly codes: readonly number[]
  readonly stdout: RegExp
}

const OPENINGS: readonly Opening[] = [
  { file: 'run/run.json', args: ['report', 'run', '--out', 'run.html'], codes: [0], stdout: /run\.html/ },
  { file: 'run/journal.jsonl', args: ['diff', 'run', `../${NEWEST}/run`], codes: [0, 1], stdout: /6 requests/ },
  { file: 'live/run.json', args: ['report', 'live', '--out', 'live.html'], codes: [0], stdout: /live\.html/ },
  { file: 'live/journal.jsonl', args: ['diff', 'live', 'live'], codes: [0], stdout: /the runs are identical/ },
  { file: 'sweep/sweep.json', args: ['report', 'sweep', '--out', 'sweep.html'], codes: [0], stdout: /sweep\.html/ },
  { file: 'runs.db', args: ['runs', '--db', 'runs.db'], codes: [0], stdout: /sma-cross/ },
  { file: 'tapes.db', args: ['tapes', 'tapes.db'], codes: [0], stdout: /BTC_USD .* 100 / },
  { file: 'tapes.db', args: ['backtest', ...CROSS, '--tape', 'BTC_USD=tapes.db'], codes: [0], stdout: /^$/ },
  { file: 'exported.tape', args: ['backtest', ...CROSS, '--tape', 'BTC_USD=exported.tape'], codes: [0], stdout: /^$/ },
  {
    file: 'live-state/live.db',
    args: ['live', 'orders', '--state', 'live-state'],
    codes: [0],
    stdout: new RegExp(STATE_ENGLISH),
  },
  { file: 'expect/cross.json', args: ['expect'], codes: [0, 1], stdout: /cross/ },
]

/** What is refused: by folder, the beginning of the command, and the message. */
const REFUSED: readonly (readonly [folder: string, command: string, message: RegExp])[] = [
  [OLDEST, 'report run', /^papertape: run\/run\.json statistics\.openTrips: .*: run it again with this papertape$/],
]

beforeAll(() => {
  cpSync(CORPUS, folder, { recursive: true })
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith(PACKED)) continue
    const file = join(folder, entry)
    writeFileSync(file.slice(0, -PACKED.length), gunzipSync(readFileSync(file)))
    rmSync(file)
  }
  for (const name of FOLDERS) cpSync(join(folder, 'trades.csv'), join(folder, name, 'trades.csv'))
})

it('each version that changed a format has a folder', () => {
  expect(FOLDERS.length).toBeGreaterThanOrEqual(5)
})

describe.each(FOLDERS)('files of %s', (name) => {
  const cwd = join(folder, name)

  it.each(OPENINGS.map((opening) => [opening.args.join(' '), opening] as const))('%s', async (command, opening) => {
    const { file, args, codes, stdout } = opening
    if (!existsSync(join(cwd, file))) return
    const refused = REFUSED.find(([where, start]) => where === name && command.startsWith(start))
    const result = await runCli(args, { cwd })
    if (refused === undefined) {
      expect(codes, result.stderr).toContain(result.code)
      expect(result.stdout).toMatch(stdout)
    } else expect([result.code, result.stderr.trim()]).toEqual([2, expect.stringMatching(refused[2])])
  })

  it('why explains an order of a run', async () => {
    const [, order = ''] = /\n(\d+),/.exec(readFileSync(join(cwd, 'run/orders.csv'), 'utf8')) ?? []
    expect(await runCli(['why', 'run', order], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(order) as unknown,
    })
  })

  it('verify repeats a run, or names what differs', async () => {
    const { code, stdout, stderr } = await runCli(['verify', 'run'], { cwd })
    const isNamed = /^(?:papertape: )?\S+(?:trades\.csv|run\.json|sma-cross|journal\.jsonl)[^]*: /.test(stderr)
    expect(
      code === 0 ? stdout.startsWith('verified: ') : (code === 1 || code === 2) && isNamed,
      `${stdout}${stderr}`,
    ).toBe(true)
  })

  it('a sweep is continued, or the difference is named', async () => {
    if (!existsSync(join(cwd, 'sweep'))) return
    const flags = ['--tape', 'BTC_USD=trades.csv', '--param', 'fast=2,3', '--param', 'slow=4', '--out', 'sweep']
    const { code, stderr } = await runCli(['sweep', 'sma-cross', ...flags, '--quiet'], { cwd })
    expect(code === 0 ? '' : stderr).toMatch(/^$|^papertape: --out: 'sweep' has a sweep of another /)
  })

  it('serve continues a state with its user, key and order, or names its format', async () => {
    const { key, order } = JSON.parse(readFileSync(join(cwd, 'made.json'), 'utf8')) as { key: string; order: string }
    const flags = ['--json', '--state', 'state.db', '--virtual-clock', '--replay', 'BTC_USD=trades.csv']
    const server = serve(flags, { cwd })
    if (name === OLDEST) {
      const refusal = /state\.db: cannot be restored \(snapshot: has format 1, this version reads 2\)/
      await expect(server.line()).rejects.toThrow(refusal)
      return
    }
    const { baseUrl } = await server.line()
    const answer = await fetch(`${baseUrl}/orders/${order}`, { headers: { 'x-api-key': key } })
    expect(await answer.json()).toMatchObject({ id: order, symbol: 'BTC_USD', price: '30000.00', status: 'OPEN' })
    expect(await server.stop()).toBe(0)
  })

  it('serve continues an exported world', async () => {
    if (!existsSync(join(cwd, 'world.papertape'))) return
    const server = serve(['--json', '--virtual-clock', '--world', 'world.papertape'], { cwd })
    expect(await server.line()).toMatchObject({ users: expect.any(Array) as unknown })
    expect(await server.stop()).toBe(0)
  })

  it('record continues a recording', async () => {
    if (!existsSync(join(cwd, 'recording'))) return
    const market = serve(['--json', '--seed', '7'], { cwd })
    const { baseUrl } = await market.line()
    const before = readFileSync(join(cwd, 'recording/btc_usd.csv'), 'utf8')
    const flags = ['--url', baseUrl, '--symbols', 'BTC_USD', '--out', 'recording', '--json']
    const recorder = new Serving(flags, { cwd, command: ['record'] })
    await recorder.printed()
    expect(await recorder.stop('SIGINT')).toBe(0)
    expect(readFileSync(join(cwd, 'recording/btc_usd.csv'), 'utf8').slice(0, before.length)).toBe(before)
  })
})
