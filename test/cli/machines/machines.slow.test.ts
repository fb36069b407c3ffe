/**
 * `papertape sweep --redis` and `papertape worker` as a user meets them: processes of their own, and a Redis of their own.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UnrecoverableError, Worker, type Job } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { candlesCsv, STEPPER_FILE } from '../../run/sweep/rig.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { type LinkChange, loadRedisPackages, openRedis } from '../../../src/run/sweep/machines/redis-link.ts'
import { checkedRedisUrl } from '../../../src/run/sweep/redis-url.ts'
import { withoutPackage } from '../rig/hidden-package.ts'
import { livings, type Living } from '../rig/living.ts'
import { expectInputError, type CliResult } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { hasRedis, RedisServer } from './redis-server.ts'
import { crashMachines } from './worker-crashes.ts'

const { folder, write, cli } = cliFolder()
/** With nothing of the other above it. */
const { folder: elsewhere } = temporaryFiles()
const begin = livings()
write(candlesCsv(400), 'candles.csv')
write(candlesCsv(10_000), 'long.csv')
write(STEPPER_FILE, 'stepper.ts')

const GRID = ['--param', 'every=3..12/3', '--param', 'hold=1,5', '--objective', 'return', '--tape', 'A_USD=candles.csv']
/** Whose ids are texts, which no memory shares. */
const TRADES = ['id,time,price,qty,is_buyer_maker']
for (let row = 0; row < 900; row += 1) {
  TRADES.push(`t-${row},${1_700_000_000_000 + row * 20_000},${100 + (row % 17) / 10},${1 + (row % 3)},${row % 2 === 0}`)
}
write(`${TRADES.join('\n')}\n`, 'trades.csv')

const ACTIVE = 'papertape:points-0.1.0:active'
const FILES = ['sweep.csv', 'sweep.json', 'report.html']
const filesIn = (out: string): readonly string[] => FILES.map((name) => readFileSync(join(folder, out, name), 'utf8'))

describe.skipIf(!hasRedis)(`with redis-server${hasRedis ? '' : ' (skipped: it is not here)'}`, () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await RedisServer.start(join(folder, 'redis'))
    redis = new Redis(server.url)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.kill()
  })

  const remote = (...args: string[]): Promise<CliResult> =>
    cli('sweep', 'stepper.ts', ...GRID, '--redis', server.url, ...args)
  const worker = (...args: string[]): Living =>
    begin(['--redis', server.url, '--workers', '1', '--cache', 'cache', ...args], { cwd: folder, env: {} }, 'worker')
  const forget = async (): Promise<void> => {
    await redis.flushall()
  }

  it('the files are those of the same sweep in threads, whatever it is held against', async () => {
    await forget()
    const held = ['--walk-forward', 'train=2h,test=1h', '--null', '2', '--monte-carlo', '100', '--stats-period', '30m']
    const one = worker()
    await one.says('points from')
    const { code, stdout, stderr } = await remote(...held, '--out', 'remote')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'sweep: 1 worker connected\n' })
    expect(await cli('sweep', 'stepper.ts', ...GRID, ...held, '--out', 'local')).toMatchObject({
      code: 0,
      stdout: stdout.replaceAll('remote/', 'local/'),
    })
    expect(filesIn('remote')).toEqual(filesIn('local'))
    expect(one.stdout).toContain('stepper.ts on A_USD\n')
  })

  it('a worker that a signal ends finishes its points, and says so', async () => {
    await forget()
    const one = worker()
    await one.says('points from')
    const long = GRID.map((word) => word.replace('candles', 'long'))
    const sweep = begin(['stepper.ts', ...long, '--redis', server.url, '--quiet'], { cwd: folder, env: {} }, 'sweep')
    await expect.poll(() => redis.llen(ACTIVE), { interval: 5 }).toBe(1)
    expect(await one.stop('SIGINT')).toBe(0)
    expect(one.stderr).toMatch(/^worker: stopping after the current points; press Ctrl-C again/)
    // Nothing that it had begun is left to be taken over.
    expect(await redis.llen(ACTIVE)).toBe(0)
    expect((await redis.keys('papertape:outcome:*')).length).toBeGreaterThanOrEqual(1)
    await sweep.stop('SIGINT')
  })

  it('strategy and liquidity model travel with all that they import, and need no file where they run', async () => {
    await forget()
    for (const name of ['desk/strategies', 'shared']) mkdirSync(join(folder, name), { recursive: true })
    write('{ "least": 2 }', 'shared/numbers.json')
    write(
      "import { least } from '../shared/numbers.json'\nexport const steps = (every: number) => every + least - 2\n",
      'desk/steps.ts',
    )
    write(
      STEPPER_FILE.replace("from 'zod'", "from 'zod'\nimport { steps } from '../steps.ts'").replace(
        'index % every ===',
        'index % steps(every) ===',
      ),
      'desk/strategies/mine.ts',
    )
    write(
      "import { TapeLiquidity, TradeEstimates } from 'papertape/liquidity'\nexport default (setup) => new TapeLiquidity(new TradeEstimates(1), setup.terms)\n",
      'shared/model.ts',
    )
    const grid = GRID.map((word) => word.replace('candles', 'trades'))
    const args = ['sweep', 'desk/strategies/mine.ts', ...grid, '--liquidity', 'shared/model.ts']
    const one = begin(
      ['--redis', server.url, '--workers', '1', '--cache', 'c', '--json'],
      { cwd: elsewhere, env: {} },
      'worker',
    )
    await one.says('ready')
    const there = await cli(...args, '--redis', server.url, '--json')
    const here = await cli(...args, '--json')
    expect({ ...there, stderr: '' }).toEqual(here)
    expect(here.code).toBe(0)
  })

  it('two sweeps of the same points at once run each of them once', async () => {
    await forget()
    const one = worker('--json')
    await one.says('ready')
    const both = await Promise.all([remote('--out', 'twin-1'), remote('--out', 'twin-2')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(filesIn('twin-1')).toEqual(filesIn('twin-2'))
    const done = one.stdout.split('\n').filter((line) => line.startsWith('{"type":"done"'))
    expect(done).toHaveLength(8)
    expect(new Set(done).size).toBe(8)
  })

  it('a worker has its points of three sweeps at once', async () => {
    await forget()
    const flags = ['--redis', server.url, '--workers', '3', '--cache', 'cache', '--json']
    const one = begin(flags, { cwd: folder, env: {} }, 'worker')
    await one.says('ready')
    const point = ['--param', 'every=3', '--param', 'hold=1', '--tape', 'A_USD=candles.csv', '--redis', server.url]
    const sweeps = [1, 2, 3].map((which) => {
      const slow = `map(() => {\n// ${which}\nif (remembered === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)`
      write(STEPPER_FILE.replace('map(() => {', slow), `slow-${which}.ts`)
      return cli('sweep', `slow-${which}.ts`, ...point)
    })
    expect((await Promise.all(sweeps)).map(({ code }) => code)).toEqual([0, 0, 0])
    expect(one.stdout).not.toContain('fault')
  })

  it('a point that others have failed with is asked for again while a machine can run it, and where it was of another sweep', async () => {
    await forget()
    const sweep = remote('--out', 'failed-with')
    await expect.poll(() => redis.llen('papertape:points-0.1.0:wait')).toBe(8)
    const failing = { connection: { host: '127.0.0.1', port: server.port }, prefix: 'papertape' }
    let left = 12
    const refuse = async (job: Job<{ bundle: string }>): Promise<void> => {
      left -= 1
      if (left === 0) await broken.pause(true)
      if (left % 2 === 0) await redis.set(`papertape:able:${job.data.bundle}`, 1, 'EX', 60)
      else await job.updateData({ ...job.data, bundle: 'f'.repeat(64) })
      throw new UnrecoverableError('cannot')
    }
    const broken = new Worker('points-0.1.0', refuse, failing)
    await expect.poll(() => left).toBe(0)
    await broken.close()
    worker()
    expect(await sweep).toMatchObject({ code: 0 })
  })

  it('what Redis has no room for is reported by a worker, who does not ask it all the time', async () => {
    await forget()
    const one = worker('--json')
    await one.says('ready')
    await redis.config('SET', 'maxmemory', '1')
    await one.says('does not take points (OOM')
    const asked = async (): Promise<number> =>
      Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1])
    const before = await asked()
    await pause(1_000)
    expect((await asked()) - before).toBeLessThan(200)
    await redis.config('SET', 'maxmemory', '0')
    expect((await remote()).code).toBe(0)
  })

  it('a sweep that no one has worked for is withdrawn by Ctrl-C, and goes on later with what was done meanwhile', async () => {
    await forget()
    const args = ['stepper.ts', ...GRID, '--redis', server.url, '--out', 'late']
    const sweep = begin(args, { cwd: folder, env: {} }, 'sweep')
    await expect.poll(() => sweep.stderr).toMatch(/no worker of papertape .* is connected; start one/)
    expect(await sweep.stop('SIGINT')).toBeNull()
    expect(sweep.stderr).toContain('interrupted after 0 of 8 runs')
    expect(await redis.llen('papertape:points-0.1.0:wait')).toBe(0)
    const one = worker()
    await one.says('points from')
    expect((await remote('--out', 'late')).code).toBe(0)
  })

  it('a strategy that ends its thread is a row with its error, as in threads', async () => {
    await forget()
    write(STEPPER_FILE.replace('map(() => {', 'map(() => {\n        if (every === 6) process.exit(3)'), 'leaver.ts')
    const one = worker()
    await one.says('points from')
    const args = ['sweep', 'leaver.ts', ...GRID, '--quiet']
    await cli(...args, '--redis', server.url, '--out', 'left-there')
    await cli(...args, '--out', 'left-here')
    expect(filesIn('left-there')).toEqual(filesIn('left-here'))
    expect(filesIn('left-here')[0]).toContain('process.exit')
  })

  it('bytes that are not what their name says are refused, and brought again', async () => {
    await forget()
    const sweep = remote('--out', 'mended')
    const pieces = async (): Promise<readonly string[]> => await redis.keys('papertape:blob:*:0')
    await expect.poll(async () => (await pieces()).length).toBeGreaterThanOrEqual(3)
    await expect.poll(() => redis.llen('papertape:points-0.1.0:wait')).toBe(8)
    for (const piece of await pieces()) {
      const bytes = await redis.getBuffer(piece)
      if (bytes?.subarray(0, 14).toString() !== 'papertape tape') continue
      bytes[bytes.length >> 1] = 255 - (bytes[bytes.length >> 1] ?? 0)
      await redis.set(piece, bytes, 'KEEPTTL')
    }
    const one = begin(
      ['--redis', server.url, '--workers', '1', '--cache', 'another-cache'],
      { cwd: folder, env: {} },
      'worker',
    )
    const { code, stderr } = await sweep
    expect(code).toBe(0)
    expect(one.stderr).toMatch(/what it has under [0-9a-f]{12} has another SHA-256/)
    expect(stderr).toMatch(/a worker cannot run the points: .*another SHA-256/)
  })

  it('a package that a machine does not have is named there and here, and looked for again', async () => {
    await forget()
    const place = (at: string): string => join(at, 'node_modules', 'fixed-steps')
    const install = (at: string): void => {
      mkdirSync(place(at), { recursive: true })
      writeFileSync(
        join(place(at), 'package.json'),
        '{ "name": "fixed-steps", "version": "1.2.0", "main": "index.js" }',
      )
      writeFileSync(join(place(at), 'index.js'), 'exports.extra = 0\n')
    }
    install(folder)
    write(
      STEPPER_FILE.replace("from 'zod'", "from 'zod'\nimport { extra } from 'fixed-steps'").replace(
        'index % every ===',
        '(index + extra) % every ===',
      ),
      'packed.ts',
    )
    const one = begin(
      ['--redis', server.url, '--workers', '1', '--cache', 'b', '--packages', '.'],
      { cwd: elsewhere, env: {} },
      'worker',
    )
    const sweep = cli('sweep', 'packed.ts', ...GRID, '--redis', server.url, '--json')
    await expect.poll(() => one.stderr).toContain("packed.ts: cannot be loaded: Cannot find module 'fixed-steps'")
    install(elsewhere)
    const { code, stdout, stderr } = await sweep
    expect({ code, stdout }).toEqual({ code: 0, stdout: (await cli('sweep', 'packed.ts', ...GRID, '--json')).stdout })
    expect(stderr).toMatch(/a worker cannot run the points: .*'fixed-steps'/)
  })

  it('workers that die, a Redis that loses all it had, and a sweep that is killed cost no point and double none', async () => {
    const place = (name: string): string => join(folder, name)
    mkdirSync(place('crash'))
    const { faults, ...counts } = await crashMachines({
      folder: place('crash'),
      workers: 3,
      killMs: 3_000,
      redisAwayMs: 1_000,
      isForgotten: true,
      args: [
        join(folder, 'stepper.ts'),
        '--tape',
        `A_USD=${join(folder, 'long.csv')}`,
        '--param',
        'every=20..23',
        '--param',
        'hold=1..10',
      ],
      redisAfter: 10,
      sweepAfter: 25,
      progress: () => undefined,
    })
    expect(faults).toEqual([])
    expect(counts).toMatchObject({ points: 40, redisKills: 1, sweepKills: 1 })
    expect(counts.workerKills).toBeGreaterThan(0)
  })

  it('a Redis that asks for a password receives it from the environment, and no text shows it', async () => {
    const locked = await RedisServer.start(join(folder, 'locked'), ['--requirepass', 'sesame'])
    try {
      const place = `redis://127.0.0.1:${locked.port}`
      const args = ['sweep', 'stepper.ts', ...GRID, '--json', '--redis']
      expectInputError(await cli(...args, place), new RegExp(`^--redis: ${place} does not answer \\(NOAUTH`))
      const wrong = await cli(...args, `redis://:open@127.0.0.1:${locked.port}`)
      expectInputError(wrong, /^--redis: redis:\/\/127\.0\.0\.1:\d+ does not answer \(WRONGPASS/)
      const env = { PAPERTAPE_REDIS_PASSWORD: 'sesame' }
      const one = begin(['--redis', place, '--workers', '1', '--cache', 'cache'], { cwd: folder, env }, 'worker')
      expect((await runCli([...args, place], { cwd: folder, env })).code).toBe(0)
      expect(`${one.stdout}${one.stderr}`).not.toContain('sesame')
    } finally {
      await locked.kill()
    }
  })

  it('a Redis that says nothing any more is away, and Ctrl-C does not wait for it', async () => {
    const mute = await RedisServer.start(join(folder, 'mute'))
    const states: string[] = []
    const hear = ({ state }: LinkChange): unknown => states.push(state)
    const link = await openRedis(await loadRedisPackages(), checkedRedisUrl(mute.url), { hear, silentMs: 300 })
    const sweep = begin(['stepper.ts', ...GRID, '--redis', mute.url], { cwd: folder, env: {} }, 'sweep')
    try {
      await expect.poll(() => sweep.stderr).toContain('no worker of papertape')
      mute.hang(true)
      const asked = link.redis.ping()
      await expect.poll(() => states).toEqual(['gone'])
      expect(await sweep.stop('SIGINT')).toBeNull()
      mute.hang(false)
      expect(await asked).toBe('PONG')
      expect(states).toEqual(['gone', 'back'])
    } finally {
      link.close()
      mute.hang(false)
      await mute.kill()
    }
  })

  it('what no one has packed is no outcome, and the point is run', async () => {
    await forget()
    const one = worker()
    await one.says('points from')
    expect((await remote('--out', 'packed-1')).code).toBe(0)
    for (const key of await redis.keys('papertape:outcome:*')) await redis.set(key, 'nonsense', 'EX', 60)
    expect((await remote('--out', 'packed-2')).code).toBe(0)
    expect(filesIn('packed-2')).toEqual(filesIn('packed-1'))
  })

  it('a replica is refused', async () => {
    const replica = await RedisServer.start(join(folder, 'replica'), ['--replicaof', '127.0.0.1', String(server.port)])
    try {
      expectInputError(await cli('worker', '--redis', replica.url), /is a read-only replica; use its primary/)
    } finally {
      await replica.kill()
    }
  })

  it('a Redis that forgets what it has no room for is refused', async () => {
    const small = await RedisServer.start(join(folder, 'small'), [
      '--maxmemory',
      '64mb',
      '--maxmemory-policy',
      'allkeys-lru',
    ])
    try {
      const result = await cli('sweep', 'stepper.ts', ...GRID, '--redis', small.url)
      expectInputError(
        result,
        /evicts points when its memory is full \(allkeys-lru\); set maxmemory-policy to noeviction$/,
      )
    } finally {
      await small.kill()
    }
  })
})

describe('without a Redis', () => {
  const sweep = (...args: string[]): Promise<CliResult> => cli('sweep', 'stepper.ts', ...GRID, ...args)

  it.each([
    [['--redis', 'redis://127.0.0.1:1'], /^--redis: redis:\/\/127\.0\.0\.1:1 does not answer \(connect ECONNREFUSED/],
    [['--redis', 'http://127.0.0.1:6379'], /^--redis: expected a URL such as redis:/],
    [
      ['--redis', 'redis://127.0.0.1:1', '--workers', '2'],
      /^--workers: sets the threads of this process, but with --redis/,
    ],
  ])('%j is reported in one line', async (args, line) => {
    expectInputError(await sweep(...args), line)
  })

  it('a worker that has no URL, or no Redis there, is reported in one line', async () => {
    expectInputError(await cli('worker'), '--redis: expected a URL such as redis://127.0.0.1:6379')
    expectInputError(await cli('worker', '--redis', 'redis://127.0.0.1:1'), /does not answer \(connect ECONNREFUSED/)
  })

  it.each(['bullmq', 'ioredis'])('where %s is not installed its name is reported, and what to do', async (name) => {
    const options = { cwd: folder, nodeFlags: [withoutPackage(name)] }
    const result = await runCli(['sweep', 'stepper.ts', ...GRID, '--redis', 'redis://127.0.0.1:1'], options)
    expectInputError(
      result,
      new RegExp(`^--redis: needs the packages bullmq and ioredis; run npm install bullmq ioredis`),
    )
  })
})
