/**
 * A sweep whose workers die and whose Redis goes away while it runs, held against the same sweep in threads of one
 * process.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RedisServer } from './redis-server.ts'

const CLI = fileURLToPath(new URL('../../../bundle/cli/main.js', import.meta.url))
const FILES = ['sweep.csv', 'sweep.json', 'report.html']

export interface CrashTerms {
  readonly folder: string
  /** Of `papertape sweep`: strategy, tape, parameters. */
  readonly args: readonly string[]
  readonly workers: number
  /**
   * Milliseconds between two kills, and some point was done; each kills the worker that has lived longest, and begins
   * another.
   */
  readonly killMs: number
  /** Once so many points are done, Redis is killed, and is away for a while. */
  readonly redisAfter: number
  readonly redisAwayMs: number
  /** True where Redis has lost all that it had. */
  readonly isForgotten: boolean
  /** Once so many points are done, the sweep is killed, and begun again by the same command. */
  readonly sweepAfter?: number | undefined
  readonly progress: (line: string) => void
}

export interface CrashCounts {
  readonly points: number
  readonly workerKills: number
  readonly redisKills: number
  readonly sweepKills: number
  /** In words; none when all is as it should be. */
  readonly faults: readonly string[]
}

export async function crashMachines(terms: CrashTerms): Promise<CrashCounts> {
  const { folder, args, progress } = terms
  const [local, remote] = [join(folder, 'local'), join(folder, 'remote')]
  progress('the same sweep in threads')
  await ended(run(['sweep', ...args, '--out', local, '--quiet']))
  const redis = await RedisServer.start(join(folder, 'redis'))
  const crowd = new WorkerCrowd(redis.url, folder, terms.workers)
  const kills = { worker: 0, redis: 0, sweep: 0 }
  const command = ['sweep', ...args, '--redis', redis.url, '--out', remote, '--quiet']
  try {
    let sweep = run(command)
    let killedAt = performance.now()
    let doneThen = 0
    while (sweep.exitCode === null) {
      await pause(100)
      const done = pointsIn(remote)
      progress(`${done} points, ${JSON.stringify(kills)}`)
      // On a slow machine none would ever do a point.
      if (performance.now() - killedAt > terms.killMs && done > doneThen) {
        crowd.killOldest()
        kills.worker += 1
        killedAt = performance.now()
        doneThen = done
      }
      if (kills.redis === 0 && done >= terms.redisAfter) {
        kills.redis += 1
        await redis.kill()
        if (terms.isForgotten) redis.forget()
        await pause(terms.redisAwayMs)
        await redis.begin()
      }
      if (kills.sweep === 0 && done >= (terms.sweepAfter ?? Infinity)) {
        kills.sweep += 1
        sweep.kill('SIGKILL')
        await once(sweep, 'exit')
        sweep = run(command)
      }
    }
    const faults = [
      ...(sweep.exitCode === 0 ? [] : [`the sweep ended with ${sweep.exitCode}`]),
      ...differences(local, remote),
    ]
    return {
      points: pointsIn(local),
      workerKills: kills.worker,
      redisKills: kills.redis,
      sweepKills: kills.sweep,
      faults,
    }
  } finally {
    await crowd.end()
    await redis.kill()
  }
}

class WorkerCrowd {
  readonly #start: () => ChildProcess
  /** The oldest first. */
  readonly #children: ChildProcess[] = []

  constructor(url: string, folder: string, count: number) {
    const cache = join(folder, 'cache')
    this.#start = () => run(['worker', '--redis', url, '--workers', '1', '--cache', cache, '--quiet'])
    for (let index = 0; index < count; index += 1) this.#children.push(this.#start())
  }

  killOldest(): void {
    this.#children.shift()?.kill('SIGKILL')
    this.#children.push(this.#start())
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
  }
}

const run = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })

async function ended(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`ended with ${String(code)}`)
}

const linesOf = (out: string): readonly string[] => {
  try {
    return readFileSync(join(out, 'points.jsonl'), 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

const pointsIn = (out: string): number => linesOf(out).length

function differences(local: string, remote: string): readonly string[] {
  const files = FILES.filter(
    (name) => readFileSync(join(local, name), 'utf8') !== readFileSync(join(remote, name), 'utf8'),
  )
  const [here, there] = [linesOf(local), linesOf(remote)].map((lines) => [...lines].sort().join('\n'))
  return [...files.map((name) => `${name} is another`), ...(here === there ? [] : ['points.jsonl has other lines'])]
}
