/**
 * The wall clock, chance and real timers are out of a strategy's reach, and of no one else's.
 */
/* eslint-disable papertape/no-clock -- what is out of reach is what is tested */
import { map, NEVER, of, timer } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { Turn } from '../../../src/runtime/session/turn.ts'
import { guardGlobals } from '../../../src/runtime/sandbox/virtual-globals.ts'
import { inVirtualWorld } from '../../../src/runtime/backtest/virtual-world.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../rig/run-strategy.ts'

const REAL = {
  Date: globalThis.Date,
  now: Date.now.bind(undefined),
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
}
const real = (): readonly unknown[] => [
  ...[globalThis.Date, globalThis.setTimeout, globalThis.setInterval, globalThis.setImmediate],
  ...[Reflect.get(Date, 'now'), Reflect.get(performance, 'now'), Reflect.get(Math, 'random'), Reflect.get(Math, 'exp')],
]
const BEFORE = real()

let isInside: boolean
let inexact: string[]
let restore: () => void
beforeEach(() => {
  isInside = false
  inexact = []
  restore = guardGlobals({ isInside: () => isInside, onInexactMath: (name) => inexact.push(name) })
})
afterEach(() => {
  restore()
  expect(real()).toEqual(BEFORE)
})

/** What happens inside; the guard is off again before anything is looked at. */
function inside<T>(act: () => T): T | Error {
  isInside = true
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    isInside = false
  }
}

const noop = (): void => undefined

const REFUSED: readonly (readonly [string, () => unknown, string])[] = [
  ['Date.now()', () => Date.now(), 'use now()'],
  ['new Date()', () => new Date(), 'use new Date(now())'],
  ['Date()', () => Date(), 'use new Date(now())'],
  ['Math.random()', () => Math.random(), 'use random(), which is seeded'],
  ['performance.now()', () => performance.now(), 'use now()'],
  [
    'setTimeout()',
    () => (clearTimeout(setTimeout(noop)), 'set'),
    'use RxJS timer() or interval(), which follow the virtual clock',
  ],
  [
    'setInterval()',
    () => (clearInterval(setInterval(noop)), 'set'),
    'use RxJS timer() or interval(), which follow the virtual clock',
  ],
  [
    'setImmediate()',
    () => (clearImmediate(setImmediate(noop)), 'set'),
    'use RxJS timer() or interval(), which follow the virtual clock',
  ],
]

describe('inside', () => {
  it.each(REFUSED)('%s is refused with what to use instead', (_name, use, instead) => {
    const outcome = inside(use)
    expect(outcome).toBeInstanceOf(Error)
    expect(String(outcome)).toContain('is not available in a strategy: use ')
    expect(String(outcome)).toContain(instead)
  })

  it('a date that is given is as ever', () => {
    const dates = inside(() => [new Date(0), new Date('2024-01-02T03:04:05Z'), new Date(2_024, 0, 1)])
    expect(dates).toEqual([new REAL.Date(0), new REAL.Date(1_704_164_645_000), new REAL.Date(2_024, 0, 1)])
    const parts = inside(() => [Date.UTC(2_024, 0, 1), Date.parse('2024-01-02T03:04:05Z'), new Date(5) instanceof Date])
    expect(parts).toEqual([1_704_067_200_000, 1_704_164_645_000, true])
  })

  it('a Math function whose last digit depends on the engine works, and is reported once', () => {
    expect(inside(() => [Math.exp(0), Math.exp(0), Math.pow(2, 3), Math.hypot(3, 4)])).toEqual([1, 1, 8, 5])
    expect(inexact).toEqual(['Math.exp', 'Math.pow', 'Math.hypot'])
  })

  it('exact ones are not reported', () => {
    expect(inside(() => [Math.sqrt(4), Math.floor(1.5), Math.max(1, 2), Math.abs(-1), Math.round(0.5)])).toEqual([
      2, 1, 2, 1, 1,
    ])
    expect(inexact).toEqual([])
  })
})

describe('outside', () => {
  it.each(REFUSED)('%s works', (_name, use) => {
    expect(use()).toBeDefined()
  })

  it('the present is the real one', () => {
    expect(Math.abs(Date.now() - REAL.now())).toBeLessThan(10_000)
    expect(new Date()).toBeInstanceOf(REAL.Date)
  })

  it('no Math function is reported', () => {
    Math.exp(1)
    expect(inexact).toEqual([])
  })
})

describe('afterwards', () => {
  it('everything is back, also when what ran in between failed', async () => {
    restore()
    const turn = new Turn()
    const options = { queue: new EventQueue(0), turn, onError: noop, onInexactMath: noop }
    const failing = inVirtualWorld(options, () => {
      expect(real()).not.toEqual(BEFORE)
      return Promise.reject(new Error('failed'))
    })
    await expect(failing).rejects.toThrow('failed')
    expect(real()).toEqual(BEFORE)
  })

  it('once is enough', () => {
    restore()
    expect(real()).toEqual(BEFORE)
  })
})

describe('a strategy', () => {
  const tapes = [
    memoryTape([
      [0, 100, 1],
      [1_000, 101, 1],
    ]),
  ]

  it.each(REFUSED)('that uses %s ends its run', async (_name, use, instead) => {
    restore()
    const { result } = await runStrategy({ run: () => timer(500).pipe(map(() => (use(), []))) }, { tapes })
    expect([result.failure?.message.includes(instead), result.failure?.time]).toEqual([true, 500])
  })

  it('that uses Math.exp gets a message, and runs', async () => {
    restore()
    const { result } = await runStrategy({ run: () => (Math.exp(1), Math.log(1), Math.exp(2), NEVER) }, { tapes })
    expect([result.failure, result.inexactMath]).toEqual([undefined, ['Math.exp', 'Math.log']])
  })

  it('keeps no one else from the present: a tape is read by the real clock', async () => {
    restore()
    const [tape = memoryTape([])] = tapes
    const read: number[] = []
    const clocked = {
      info: tape.info,
      async *blocks() {
        for await (const block of tape.blocks()) {
          read.push(Date.now())
          yield block
        }
      },
    }
    const { result } = await runStrategy({ run: () => of([]) }, { tapes: [clocked] })
    expect([result.failure, read.length]).toEqual([undefined, 1])
  })
})
