import fc from 'fast-check'
import { interval, take, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { installVirtualTime } from '../../../src/adapter/simulated/virtual-time.ts'
import { LiveLoop } from '../../../src/runtime/live/live-loop.ts'
import { EVENT_KIND } from '../../../src/simulation/event-queue.ts'
import { macrotask } from '../../../src/runtime/backtest/virtual-world.ts'
import { FakeClocks } from './rig/fake-clocks.ts'

const START = 1_000_000

interface Scene {
  readonly clocks: FakeClocks
  readonly loop: LiveLoop
  readonly heard: string[]
  /** Says when it happens, from the start. */
  readonly say: (what: string) => () => void
}

function scene(): Scene {
  const clocks = new FakeClocks(START)
  const heard: string[] = []
  const loop: LiveLoop = new LiveLoop(clocks, {
    onJump: (byMs) => heard.push(`${loop.now() - START} jumped by ${byMs}`),
    onSetBack: (byMs) => heard.push(`${loop.now() - START} set back by ${byMs}`),
    onError: (error) => heard.push(`${loop.now() - START} ${String(error)}`),
  })
  const say = (what: string) => () => void heard.push(`${loop.now() - START} ${what}`)
  return { clocks, loop, heard, say }
}

describe('the time of a live session', () => {
  it('starts at the wall clock and goes on with the monotonic one', () => {
    const { clocks, loop } = scene()
    expect(loop.now()).toBe(START)
    clocks.stall(1_500)
    expect(loop.now()).toBe(START + 1_500)
  })

  it('stands still while an event runs', () => {
    const { clocks, loop } = scene()
    loop.enter(() => {
      const before = loop.now()
      clocks.stall(700)
      expect(loop.now()).toBe(before)
    })
    expect(loop.now()).toBe(START + 700)
  })

  it('between two events does not go past one that is due', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(100, say('due'))
    clocks.stall(150)
    expect(loop.now()).toBe(START + 100)
    clocks.pass(0)
    expect(heard).toEqual(['100 due'])
    expect(loop.now()).toBe(START + 150)
  })
})

describe('waits', () => {
  it('end when they are due, and never within the call', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(0, say('at once'))
    loop.after(30_000, say('late'))
    loop.after(20, say('soon'))
    expect(heard).toEqual([])
    clocks.pass(29_999)
    expect(heard).toEqual(['0 at once', '20 soon'])
    clocks.pass(1)
    expect(heard).toEqual(['0 at once', '20 soon', '30000 late'])
  })

  it('are counted from the present, also when nothing has happened for long', () => {
    const { clocks, loop, heard, say } = scene()
    clocks.stall(900)
    loop.after(250, say('waited'))
    clocks.pass(249)
    expect(heard).toEqual([])
    clocks.pass(2)
    expect(heard).toEqual(['1150 waited'])
  })

  it('may be longer than a timer of the machine can be', () => {
    const { clocks, loop, heard, say } = scene()
    const days = 25 * 86_400_000
    loop.after(days, say('waited'))
    clocks.pass(days - 1)
    expect(heard).toEqual([])
    clocks.pass(1)
    expect(heard).toEqual([`${days} waited`])
  })

  it('that are cancelled never end', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(10, say('cancelled')).cancel()
    clocks.pass(1_000)
    expect(heard).toEqual([])
  })
})

describe('what comes from outside', () => {
  it('comes behind what was due before it', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(40, say('due'))
    loop.after(60, say('not yet'))
    clocks.stall(50)
    loop.enter(say('came in'))
    expect(heard).toEqual(['40 due', '50 came in'])
  })

  it('runs at once within an event, in the turn of the strategies', () => {
    const { loop } = scene()
    const turns: boolean[] = []
    loop.enter(() => {
      loop.turn.outside(() => {
        turns.push(loop.turn.isOn)
        loop.enter(() => turns.push(loop.turn.isOn))
        turns.push(loop.turn.isOn)
      })
      turns.push(loop.turn.isOn)
    })
    expect([...turns, loop.turn.isOn]).toEqual([false, true, false, true, false])
  })

  it('that throws is reported, and does not keep the next from coming', () => {
    const { loop, heard, say } = scene()
    loop.enter(() => {
      throw new Error('broken')
    })
    loop.enter(say('next'))
    expect(heard).toEqual(['0 Error: broken', '0 next'])
    expect(loop.turn.isOn).toBe(false)
  })

  it('runs no more when the loop was stopped, and no timer is left', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(10, say('wait'))
    loop.enter(() => {
      loop.stop()
    })
    loop.enter(say('entered'))
    clocks.pass(10_000)
    expect(heard).toEqual([])
    expect(clocks.timers).toBe(0)
  })
})

describe('a wall clock that runs ahead', () => {
  it('takes the time with it within a second, and says so; waits stay as long as they were', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(30_000, say('settled'))
    clocks.pass(500)
    clocks.set(8 * 3_600_000)
    clocks.pass(1_000)
    expect(heard).toEqual([`${28_800_000 + 1_000} jumped by 28800000`])
    clocks.pass(28_499)
    expect(heard).toHaveLength(1)
    clocks.pass(1)
    expect(heard[1]).toBe(`${28_800_000 + 30_000} settled`)
  })

  it('is followed before what comes from outside', () => {
    const { clocks, loop, heard, say } = scene()
    clocks.set(5_000)
    loop.enter(say('came in'))
    expect(heard).toEqual(['5000 jumped by 5000', '5000 came in'])
  })

  it('by no more than two seconds is no jump', () => {
    const { clocks, heard } = scene()
    clocks.set(2_000)
    clocks.pass(5_000)
    expect(heard).toEqual([])
  })

  it('does not make up for the timers of a strategy that repeat', () => {
    const { clocks, loop, heard, say } = scene()
    const restore = installVirtualTime(loop.queue, () => undefined)
    try {
      loop.enter(() => void interval(3_000).pipe(take(3)).subscribe(say('tick')))
      clocks.pass(3_500)
      clocks.set(3_600_000)
      clocks.pass(10_000)
    } finally {
      restore()
    }
    expect(heard).toEqual(['3000 tick', '3604000 jumped by 3600000', '3606000 tick', '3609000 tick'])
  })
})

describe('a wall clock that is set back', () => {
  it('is reported once, and stops nothing', () => {
    const { clocks, loop, heard, say } = scene()
    clocks.set(-3_600_000)
    loop.after(5_000, say('waited'))
    clocks.pass(10_000)
    expect(heard).toEqual(['1000 set back by 3600000', '5000 waited'])
    expect(loop.now()).toBe(START + 10_000)
  })

  it('and forward again is no jump', () => {
    const { clocks, heard } = scene()
    clocks.set(-60_000)
    clocks.pass(1_000)
    clocks.set(60_000)
    clocks.pass(5_000)
    expect(heard).toEqual(['1000 set back by 60000'])
  })
})

it('calls what is repeated no more once it has stopped it itself', () => {
  const { clocks, loop, heard, say } = scene()
  const stop = loop.every(1_000, () => {
    say('again')()
    if (heard.length === 2) stop()
  })
  clocks.pass(9_000)
  expect(heard).toEqual(['1000 again', '2000 again'])
})

describe('a process that stood still', () => {
  it('ends every wait that is over at once, and no other', () => {
    const { clocks, loop, heard, say } = scene()
    loop.after(1_000, say('first'))
    loop.after(5_000, say('second'))
    loop.after(20_000, say('third'))
    clocks.stall(9_000)
    clocks.pass(0)
    expect(heard.map((line) => line.split(' ')[1])).toEqual(['first', 'second'])
    clocks.pass(10_999)
    expect(heard).toHaveLength(2)
    clocks.pass(1)
    expect(heard.at(-1)).toBe('20000 third')
  })

  it('does not make up for what it missed', () => {
    const { clocks, loop, heard, say } = scene()
    const restore = installVirtualTime(loop.queue, () => undefined)
    try {
      loop.enter(() => void interval(1_000).pipe(take(3)).subscribe(say('tick')))
      clocks.pass(1_000)
      clocks.stall(3_600_000)
      clocks.pass(5_000)
    } finally {
      restore()
    }
    expect(heard).toEqual(['1000 tick', '3601000 tick', '3602000 tick'])
  })
})

describe('promises of a strategy', () => {
  it('have a macrotask behind each event, in which timers may be set', async () => {
    const { clocks, loop, heard, say } = scene()
    const turn = loop.promiseTurn()
    const restore = installVirtualTime(loop.queue, () => undefined)
    try {
      loop.enter(
        () =>
          void Promise.resolve().then(() => {
            heard.push(`in a promise: ${turn.isOn}, ${loop.turn.isOn}`)
            timer(20).subscribe(say('timer'))
          }),
      )
      await macrotask()
      await macrotask()
      expect(turn.isOn).toBe(false)
      clocks.pass(20)
    } finally {
      restore()
    }
    expect(heard).toEqual(['in a promise: true, false', '20 timer'])
  })

  it('have none when no one asked for it', async () => {
    const { loop } = scene()
    const turns: boolean[] = []
    loop.enter(() => void Promise.resolve().then(() => turns.push(loop.turn.isOn)))
    await macrotask()
    expect(turns).toEqual([false])
  })
})

describe('laws', () => {
  const corners = { jumps: 0, setBacks: 0, waits: 0 }

  const act = fc.oneof(
    fc.record({ type: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 4_000 }) }),
    fc.record({ type: fc.constant('stall' as const), ms: fc.integer({ min: 0, max: 4_000 }) }),
    fc.record({ type: fc.constant('set' as const), ms: fc.integer({ min: -9_000, max: 9_000 }) }),
    fc.record({ type: fc.constant('lie' as const), ms: fc.integer({ min: -300, max: 0 }) }),
    fc.record({ type: fc.constant('after' as const), ms: fc.double({ min: 0, max: 3_000, noNaN: true }) }),
    fc.record({ type: fc.constant('enter' as const), ms: fc.integer({ min: 0, max: 500 }) }),
    fc.record({ type: fc.constant('queue' as const), ms: fc.integer({ min: 0, max: 500 }) }),
  )

  it('the time never goes back, no wait is early, none is lost, and events keep the order of the queue', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const clocks = new FakeClocks(START)
        const seen: number[] = []
        const order: { readonly time: number; readonly sequence: number }[] = []
        let scheduled = 0
        let done = 0
        const loop: LiveLoop = new LiveLoop(clocks, {
          onJump: () => {
            corners.jumps += 1
            seen.push(loop.now())
          },
          onSetBack: () => (corners.setBacks += 1),
          onError: (error) => expect.fail(String(error)),
        })
        for (const { type, ms } of acts) {
          if (type === 'pass' || type === 'stall' || type === 'set' || type === 'lie') clocks[type](ms)
          if (type === 'after') {
            const from = loop.monotonic()
            scheduled += 1
            loop.after(ms, () => {
              expect(loop.monotonic()).toBeGreaterThanOrEqual(from + ms - 1e-3)
              seen.push(loop.now())
              done += 1
              corners.waits += 1
            })
          }
          if (type === 'enter') {
            loop.enter(() => {
              clocks.stall(ms)
              seen.push(loop.now())
            })
          }
          if (type === 'queue') {
            const sequence = scheduled
            const time = loop.now() + ms
            scheduled += 1
            loop.queue.schedule(time, EVENT_KIND.message, () => {
              done += 1
              order.push({ time: loop.now(), sequence })
              seen.push(loop.now())
            })
          }
          seen.push(loop.now())
        }
        clocks.pass(20_000)
        expect(done).toBe(scheduled)
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
        expect(order).toEqual(order.toSorted((a, b) => a.time - b.time || a.sequence - b.sequence))
      }),
    )
    expect(Object.entries(corners).filter(([, count]) => count === 0)).toEqual([])
  })
})
