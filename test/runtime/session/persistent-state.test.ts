/** The state that a strategy keeps: its first value, what `set` takes, and what a later session gets back. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DiskError } from '../../../src/domain/errors.ts'
import { PersistentState, type StrategyStateStore } from '../../../src/runtime/session/persistent-state.ts'

/** A place to keep a value, with everything that happens in its order. */
class Place {
  readonly lines: string[] = []
  readonly failures: unknown[] = []
  readonly logged: string[] = []
  isRecorded = true
  saved: unknown
  fault: Error | undefined

  get store(): StrategyStateStore {
    return {
      place: 'dir/live.db',
      owner: 'counter',
      load: () => this.saved,
      save: (value) => {
        if (this.fault !== undefined) throw this.fault
        this.lines.push(`saved ${JSON.stringify(value)}`)
        this.saved = value
      },
    }
  }

  session(store: StrategyStateStore | undefined = this.store): PersistentState {
    return new PersistentState({
      store,
      journal: (text, isContinued) => void this.lines.push(`${isContinued ? 'kept' : 'line'} ${text}`),
      isRecorded: () => this.isRecorded,
      log: (message) => void this.logged.push(message),
      fail: (error) => void this.failures.push(error),
    })
  }
}

const COUNTER = z.object({ entries: z.int().default(0), cost: z.string().default('0') })

describe('the first value', () => {
  it('is that of the defaults, and is in the journal', () => {
    const place = new Place()
    expect(place.session().open(COUNTER).value).toEqual({ entries: 0, cost: '0' })
    expect(place.session(undefined).open(z.array(z.int()).default([])).value).toEqual([])
    expect(place.lines).toEqual(['line {"entries":0,"cost":"0"}', 'line []'])
  })

  it('must exist, and is asked for once', () => {
    const open = new Place().session().open
    expect(() => open(z.object({ entries: z.int() }))).toThrow(
      'state: needs a first value: give every field a default, such as z.int().default(0) (entries: Invalid input',
    )
    expect(() => open({} as z.ZodType)).toThrow('state: expected a zod schema')
    open(COUNTER)
    expect(() => open(COUNTER)).toThrow('state: a strategy has one state: call it once, with all fields')
  })
})

describe('a later session', () => {
  it('begins with the value that was saved before it was journaled', () => {
    const place = new Place()
    const memory = place.session().open(COUNTER)
    memory.set({ entries: 2, cost: '12.50' })
    memory.set({ cost: '12.50', entries: 2 })
    expect(place.session().open(COUNTER).value).toEqual({ entries: 2, cost: '12.50' })
    const text = '{"entries":2,"cost":"12.50"}'
    expect(place.lines).toEqual(['line {"entries":0,"cost":"0"}', `saved ${text}`, `line ${text}`, `kept ${text}`])
  })

  it('takes a schema with new fields, and refuses one that does not fit', () => {
    const place = new Place()
    place.saved = { entries: 2, cost: '1' }
    const wider = COUNTER.extend({ last: z.enum(['up', 'down']).default('down') })
    expect(place.session().open(wider).value).toEqual({ entries: 2, cost: '1', last: 'down' })
    place.saved = { entries: 'two', cost: '1' }
    expect(() => place.session().open(COUNTER)).toThrow(
      "dir/live.db: the saved state of 'counter' does not fit its schema (entries: Invalid input: expected number, " +
        'received string): give a new field a default, or end the schema with .catch(value) to start over from that value',
    )
    expect(place.session().open(COUNTER.catch({ entries: 0, cost: '0' })).value).toEqual({ entries: 0, cost: '0' })
    expect(place.logged).toEqual([
      'its schema changes the saved state {"entries":"two","cost":"1"} to {"entries":0,"cost":"0"}',
    ])
  })

  const OTHER = z.object({ other: z.int().default(7) })

  it.each`
    saved                           | schema                                                                        | field
    ${{ k: 5 }}                     | ${OTHER}                                                                      | ${'k'}
    ${{ k: 5, other: 1 }}           | ${OTHER}                                                                      | ${'k'}
    ${{ levels: [{ p: 1, q: 2 }] }} | ${z.object({ levels: z.array(z.object({ p: z.int() })).default([]) })}        | ${'levels.0.q'}
    ${{ a: { old: null } }}         | ${z.object({ a: z.object({ new: z.int().default(1) }).default({ new: 1 }) })} | ${'a.old'}
  `('does not start if the schema would drop $field of $saved', ({ saved, schema, field }) => {
    const place = new Place()
    place.saved = saved
    expect(() => place.session().open(schema as z.ZodType)).toThrow(
      `dir/live.db: the saved state of 'counter' has a field that its schema does not have (${field}): keep it, such as ` +
        'with z.unknown().optional(), or end the schema with .catch(value) to drop it',
    )
    expect([place.saved, place.lines]).toEqual([saved, []])
  })

  it('may drop or rename a field on purpose, which it logs', () => {
    const place = new Place()
    place.saved = { k: 5 }
    expect(place.session().open(OTHER.extend({ k: z.unknown().optional() })).value).toEqual({ k: 5, other: 7 })
    expect(place.logged).toEqual([])
    expect(place.session().open(OTHER.catch({ other: 0 })).value).toEqual({ other: 7 })
    const renamed = z.preprocess((old) => {
      const { k, ...others } = (old ?? {}) as { readonly k?: number }
      return k === undefined ? others : { ...others, other: k }
    }, OTHER)
    expect(place.session().open(renamed).value).toEqual({ other: 5 })
    expect(place.logged).toEqual([
      'its schema changes the saved state {"k":5} to {"other":7}',
      'its schema changes the saved state {"k":5} to {"other":5}',
    ])
  })
})

describe('set', () => {
  it('takes only what a restart gives back unchanged', () => {
    const memory = new Place().session().open(COUNTER) as unknown as { value: unknown; set(next: unknown): void }
    const refusals: readonly (readonly [unknown, string])[] = [
      [{ entries: 1n, cost: '0' }, 'state: expected JSON, got a bigint at entries: write money as text'],
      [{ entries: Number.NaN, cost: '0' }, 'state: expected JSON, got NaN at entries'],
      [undefined, 'state: expected JSON, got undefined'],
      [{ entries: 'x', cost: '0' }, 'state: does not fit its schema: entries: Invalid input: expected number'],
      [{ entries: 1 }, 'state: its schema changes {"entries":1} to {"entries":1,"cost":"0"}: give every field'],
      [{ entries: 1, cost: '0', more: 1 }, 'give every field and no other, and use a schema without transforms'],
      [{ entries: 1, cost: '0'.repeat(1_000_000) }, 'state: has 1000023 bytes, more than 1000000'],
    ]
    for (const [next, why] of refusals) expect(() => memory.set(next)).toThrow(why)
    expect(memory.value).toEqual({ entries: 0, cost: '0' })
    const growing = z.object({ count: z.int().transform((count) => count + 1).default(0) }) // prettier-ignore
    expect(() => new Place().session().open(growing)).toThrow('state: its schema changes {"count":0} to {"count":1}')
  })

  it('takes a value of 100 arrays and objects in each other, and no deeper', () => {
    const memory = new Place().session().open(z.object({ value: z.unknown() }).default({ value: 0 }))
    const nested = (depth: number): unknown => {
      let value: unknown = 0
      for (let level = 0; level < depth; level += 1) value = [value]
      return { value }
    }
    memory.set(nested(99) as { value: unknown })
    for (const depth of [100, 20_000]) {
      expect(() => {
        memory.set(nested(depth) as { value: unknown })
      }).toThrow(/^state: expected JSON, got arrays and objects more than 100 deep$/)
    }
  })

  it('needs a schema without promises', () => {
    const slow = COUNTER.refine(async () => await Promise.resolve(true))
    expect(() => new Place().session().open(slow)).toThrow(
      'state: its schema must be synchronous: leave out async functions, such as in .refine(async ...)',
    )
  })

  it('copies the value, which is frozen at every depth', () => {
    const schema = z.object({ levels: z.array(z.object({ price: z.string() })).default([]) })
    const memory = new Place().session().open(schema)
    const given = { levels: [{ price: '1' }] }
    memory.set(given)
    given.levels.push({ price: '2' })
    expect(memory.value).toEqual({ levels: [{ price: '1' }] })
    expect(() => (memory.value.levels as { price: string }[]).push({ price: '3' })).toThrow(TypeError)
    memory.set({ levels: [...memory.value.levels, { price: '4' }] })
    expect(memory.value.levels).toEqual([{ price: '1' }, { price: '4' }])
  })

  it('does nothing while a warm-up shows history, but checks the value', () => {
    const place = new Place()
    place.isRecorded = false
    const memory = place.session().open(COUNTER)
    memory.set({ entries: 1, cost: '0' })
    expect(() => {
      memory.set({ entries: 0.5, cost: '0' })
    }).toThrow('state: does not fit its schema: entries')
    expect([memory.value.entries, place.saved]).toEqual([0, undefined])
  })

  it('ends the session if the disk does not take it', () => {
    const place = new Place()
    const memory = place.session().open(COUNTER)
    place.fault = new DiskError('dir/live.db', 'cannot be written: the disk is full')
    expect(() => {
      memory.set({ entries: 1, cost: '0' })
    }).toThrow('the disk is full')
    expect([place.failures, memory.value.entries]).toEqual([[place.fault], 0])
  })
})
