/**
 * Does a session on a live account that runs for a day grow?
 *
 * Budget: none after the first quarter. A million trades in a day of the clock, which is reported by hand; everything
 * else is as it is: the stream and the calls over sockets, the state, the journal and the files on the disk. The
 * strategy sends an order every 500 trades. The service is in this process, and keeps no more than 500 of anything.
 * `npm run bench -- live-day`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as macrotask } from 'node:timers/promises'
import { filter, map } from 'rxjs'
import { z } from 'zod'
import type { MachineClocks } from '../src/adapter/live/machine-clocks.ts'
import { openLiveAccount } from '../src/adapter/live/open-live-account.ts'
import { DAY_MS } from '../src/domain/time.ts'
import { runLive } from '../src/run/run-live.ts'
import { defineStrategy } from '../src/strategy/strategy.ts'
import { LiveService } from './live-service.ts'

const TRADES = 1_000_000
const QUARTERS = 4
const TRADES_AN_ORDER = 500
const START = Date.UTC(2026, 0, 1)
/** Reported in one go; less than two seconds of the day. */
const BATCH = 20
const PLENTY = { general: 1_000_000_000, mutations: 1_000_000_000, windowSeconds: 60 }

/** Stands still until it is asked to go on. */
class SteppedClock implements MachineClocks {
  readonly #timers = new Set<{ readonly at: number; readonly action: () => void }>()
  #now = 0

  wall(): number {
    return START + this.#now
  }

  monotonic(): number {
    return this.#now
  }

  setTimer(delayMs: number, action: () => void): () => void {
    const timer = { at: this.#now + delayMs, action }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  pass(ms: number): void {
    this.#now += ms
    for (const timer of this.#timers) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue
      timer.action()
    }
  }
}

const clock = new SteppedClock()
const service = new LiveService(() => Math.floor(clock.wall()))
const url = await service.listen()
const directory = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
const ending = new AbortController()
let heard = 0
const state = { isOver: false }

const rare = defineStrategy({
  name: 'rare',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyLimit }) =>
    trades(symbol).pipe(
      filter(() => (heard += 1) % TRADES_AN_ORDER === 0),
      map(({ price }) => buyLimit(symbol, price, '0.01')),
    ),
})

const subscribed = service.subscribed()
const running = runLive(
  {
    ...{ url, apiKey: 'key', strategies: [{ strategy: rare }], signal: ending.signal },
    ...{ out: join(directory, 'run'), state: join(directory, 'state') },
  },
  {
    ...{ clocks: clock, dataDirectory: directory, session: 'bench' },
    openAccount: async (opening) => {
      const { account, state: kept } = await openLiveAccount({ ...opening, limits: PLENTY })
      return Object.assign(account, {
        blockedMarkets: () => kept.blockedMarkets(),
        operators: undefined,
        tryHeld: () => () => undefined,
        cancelsHeldForMs: () => 0,
      })
    },
  },
).finally(() => {
  state.isOver = true
})

async function passUntil(isDone: () => boolean): Promise<void> {
  while (!isDone() && !state.isOver) {
    clock.pass(1)
    await macrotask()
  }
}

function heapMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${TRADES} trades in a day`)
await subscribed
// What came before has to be known first; from the first trade that is heard of on, each is.
for (let passes = 0; heard === 0 && !state.isOver; passes += 1) {
  if (passes % 100 === 0) service.tell()
  clock.pass(1)
  await macrotask()
}
const before = heard
const startedAt = performance.now()
for (let reported = 0; reported < TRADES && !state.isOver;) {
  for (let index = 0; index < BATCH; index += 1) {
    clock.pass(DAY_MS / TRADES)
    service.tell()
  }
  reported += BATCH
  // Trades that the stream does not report are reported by reads, for which time has to pass.
  await passUntil(() => heard - before >= reported)
  if (reported % (TRADES / QUARTERS) !== 0) continue
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const rss = (process.memoryUsage().rss / 1e6).toFixed(0)
  console.log(
    `${String(reported).padStart(9)} trades, heap ${heapMb().toFixed(1)} MB, RSS ${rss} MB, after ${seconds} s`,
  )
}
ending.abort()
await passUntil(() => false)
const { sessions, fault } = await running
const [session] = sessions
if (fault !== undefined || session === undefined) throw new Error(`the session ended early: ${fault?.message ?? ''}`)
console.log(`highest RSS ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB, ${session.report.orders} orders`)
await service.close()
rmSync(directory, { recursive: true })
