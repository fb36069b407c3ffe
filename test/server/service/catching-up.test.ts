/**
 * A market that has much to catch up with: others are answered in between, and where it comes to is the same.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_RATE_LIMITS } from '../../../src/domain/rate-window.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import { seededSecrets } from '../../../src/server/service/secrets.ts'
import { ServicePump } from '../../../src/server/service/service-pump.ts'
import { Service } from '../../../src/server/service/service.ts'
import { UserRegistry } from '../../../src/server/service/user-registry.ts'
import { VirtualClock } from '../../../src/simulation/clocks/virtual-clock.ts'
import { EVENT_KIND, EventQueue } from '../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { oneMarket } from '../../exchange/rig/configs.ts'
import { serveMarket, START, type Answer, type ServedMarket } from '../rig/served-market.ts'

function serviceAt(time: number) {
  const clock = new VirtualClock(time)
  const queue = new EventQueue(time)
  const simulated = new SimulatedMarkets(createExchange(oneMarket()), queue, () => new IdealLiquidity())
  const users = new UserRegistry(seededSecrets(1), () => undefined)
  const service = new Service({ simulated, users, clock, limits: DEFAULT_RATE_LIMITS, longestRunMs: 0 })
  return { clock, queue, service }
}

/** Something that happens every so often for ever. @returns when it did */
function everyMs(queue: EventQueue, ms: number, action: () => void = () => undefined): readonly number[] {
  const times: number[] = []
  const happen = (): void => {
    times.push(queue.now())
    action()
    queue.schedule(queue.now() + ms, EVENT_KIND.timer, happen)
  }
  queue.schedule(queue.now() + ms, EVENT_KIND.timer, happen)
  return times
}

describe('a market that was left alone for long', () => {
  it('leaves the rest to the next time, in the order of time, and is at the present when all has happened', () => {
    const { clock, queue, service } = serviceAt(0)
    const times = everyMs(queue, 1_000)
    clock.advance(3_500)
    const seen = Array.from({ length: 5 }, () => [service.catchUp(), service.isBehind])
    expect(seen).toEqual([
      [1_000, true],
      [2_000, true],
      [3_500, false],
      [3_500, false],
      [3_500, false],
    ])
    expect(times).toEqual([1_000, 2_000, 3_000])
  })

  it('is brought to the present by its pump, and others have their turn meanwhile', async () => {
    const { clock, queue, service } = serviceAt(0)
    let turns = 0
    const count = setInterval(() => (turns += 1), 1)
    everyMs(queue, 1_000, () => {
      const end = performance.now() + 1
      while (performance.now() < end);
    })
    clock.advance(200_000)
    const pump = new ServicePump(service, (error) => {
      throw error
    })
    pump.start()
    await expect.poll(() => queue.now()).toBe(200_000)
    pump.stop()
    clearInterval(count)
    expect(turns).toBeGreaterThan(5)
  })
})

describe('a virtual clock that is moved far', () => {
  let served: ServedMarket
  let isClosed: boolean
  beforeEach(async () => {
    isClosed = false
    served = await serveMarket()
    everyMs(served.server.service.simulated.queue, 1)
  })
  afterEach(async () => {
    vi.useRealTimers()
    if (!isClosed) await served.server.close()
    expect(served.errors).toEqual([])
  })

  const clock = async (method: string, body?: object): Promise<Answer> =>
    served.call(method, '/emulator/clock', { body })
  const untilUnderWay = async (): Promise<void> => {
    await expect.poll(async () => ((await clock('GET')).body as { until?: number }).until).toBe(START + 366 * DAY_MS)
  }

  it('answers others on its way, which are notified, and stops when it is asked to', async () => {
    const moved = clock('POST', { advanceMs: 366 * DAY_MS })
    await untilUnderWay()
    const stopped = await clock('DELETE')
    expect(stopped).toMatchObject({ status: 200, body: { stopped: true } })
    const { now } = stopped.body as { now: number }
    expect(await moved).toMatchObject({ status: 200, body: { now, stopped: true } })
    expect((await clock('GET')).body).toEqual({ now })
    expect((await clock('DELETE')).body).toEqual({ now })
    expect((await clock('POST', { advanceMs: 5 })).body).toEqual({ now: now + 5 })
  })

  it('is answered with 202 when that takes long, and goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const moved = clock('POST', { advanceMs: 366 * DAY_MS })
    await untilSet()
    vi.advanceTimersByTime(5_000)
    const { status, body } = await moved
    expect(status).toBe(202)
    expect(body).toMatchObject({ until: START + 366 * DAY_MS })
    vi.useRealTimers()
    await untilUnderWay()
    await clock('DELETE')
  })

  it('adds up moves that are asked for at the same time', async () => {
    const first = clock('POST', { advanceMs: 20_000 })
    const second = clock('POST', { advanceMs: 30_000 })
    await Promise.all([first, second])
    expect((await clock('GET')).body).toEqual({ now: START + 50_000 })
  })

  it('stands still once the server ends, and everyone who waits for it is notified', async () => {
    const moved = clock('POST', { advanceMs: 366 * DAY_MS })
    await untilUnderWay()
    await served.server.close()
    isClosed = true
    expect(await moved).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    const now = served.clock.now()
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(served.clock.now()).toBe(now)
  })
})

/** Until the time is under way, without a timer. */
async function untilSet(): Promise<void> {
  while (vi.getTimerCount() === 0) await new Promise(setImmediate)
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
}
