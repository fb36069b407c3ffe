import { map, merge, share, Subject, Subscription, take, toArray, withLatestFrom, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { HotStream } from '../../src/strategy/hot-stream.ts'

function collect<T>(source: Observable<T>): { readonly values: T[]; readonly subscription: Subscription } {
  const values: T[] = []
  return { values, subscription: source.subscribe((value) => values.push(value)) }
}

describe('a value that is pushed', () => {
  it('reaches every subscriber in the order in which they came, and no one who comes later', () => {
    const stream = new HotStream<number>()
    const heard: string[] = []
    stream.push(0)
    stream.subscribe((value) => heard.push(`first ${value}`))
    stream.subscribe((value) => heard.push(`second ${value}`))
    stream.push(1)
    expect(heard).toEqual(['first 1', 'second 1'])
  })

  it('reaches the other subscribers when one of them throws', () => {
    const stream = new HotStream<number>()
    const errors: unknown[] = []
    const failing = stream.pipe(
      map((): number => {
        throw new Error('mine')
      }),
    )
    failing.subscribe({ error: (error: unknown) => errors.push(error) })
    const { values } = collect(stream)
    stream.push(1)
    stream.push(2)
    expect(values).toEqual([1, 2])
    expect(errors).toEqual([new Error('mine')])
  })
})

describe('while a value is delivered', () => {
  it('one who subscribes gets the next value first', () => {
    const stream = new HotStream<number>()
    const late: number[] = []
    stream.pipe(take(1)).subscribe(() => stream.subscribe((value) => late.push(value)))
    stream.push(1)
    stream.push(2)
    expect(late).toEqual([2])
  })

  it('one who unsubscribes another keeps that one from getting it', () => {
    const stream = new HotStream<number>()
    const victim = new Subscription()
    stream.subscribe(() => victim.unsubscribe())
    const { values, subscription } = collect(stream)
    victim.add(subscription)
    const { values: others } = collect(stream)
    stream.push(1)
    expect([values, others]).toEqual([[], [1]])
  })

  it('one who unsubscribes itself does not keep the others from getting it', () => {
    const stream = new HotStream<number>()
    const { values: first } = collect(stream.pipe(take(1)))
    const { values: second } = collect(stream)
    stream.push(1)
    stream.push(2)
    expect([first, second]).toEqual([[1], [1, 2]])
  })

  it('it does what a Subject does', () => {
    const script = (source: Observable<number>, push: (value: number) => void): readonly string[] => {
      const heard: string[] = []
      const hear =
        (name: string) =>
        (value: number): unknown =>
          heard.push(`${name} ${value}`)
      const a = source.subscribe(hear('a'))
      source.pipe(take(2)).subscribe(hear('b'))
      source.subscribe((value) => {
        hear('c')(value)
        if (value === 1) a.unsubscribe()
        if (value === 2) source.subscribe(hear('d'))
      })
      for (const value of [0, 1, 2, 3]) push(value)
      return heard
    }
    const stream = new HotStream<number>()
    const subject = new Subject<number>()
    expect(script(stream, (value) => stream.push(value))).toEqual(script(subject, (value) => subject.next(value)))
  })
})

describe('whether anybody watches', () => {
  it('is known, so that a value need not be made', () => {
    const stream = new HotStream<number>()
    expect(stream.isWatched).toBe(false)
    const { subscription } = collect(stream)
    const { subscription: second } = collect(stream)
    subscription.unsubscribe()
    expect(stream.isWatched).toBe(true)
    second.unsubscribe()
    expect(stream.isWatched).toBe(false)
  })

  it('is reported each time that a subscriber comes while none is there', () => {
    let times = 0
    const stream = new HotStream<number>(() => (times += 1))
    const { subscription } = collect(stream)
    const { subscription: second } = collect(stream)
    expect(times).toBe(1)
    subscription.unsubscribe()
    second.unsubscribe()
    collect(stream)
    expect(times).toBe(2)
  })
})

describe('operators', () => {
  it('work on it as on any Observable, and leave it alone when they are done', () => {
    const stream = new HotStream<number>()
    const { values } = collect(
      merge(stream, stream.pipe(map((value) => value * 10))).pipe(withLatestFrom(stream), take(2), toArray()),
    )
    stream.push(1)
    stream.push(2)
    expect(values).toEqual([
      [
        [1, 1],
        [10, 1],
      ],
    ])
    expect(stream.isWatched).toBe(false)
  })

  it('that share it subscribe once', () => {
    const stream = new HotStream<number>()
    const shared = stream.pipe(share())
    const { subscription } = collect(shared)
    collect(shared).subscription.unsubscribe()
    expect(stream.isWatched).toBe(true)
    subscription.unsubscribe()
    expect(stream.isWatched).toBe(false)
  })
})
