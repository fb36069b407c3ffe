/**
 * When entries are written, in how many commits, and what is said when they cannot be.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { joinEntries, writeEntry, type StateEntry } from '../../../src/server/state/state-entry.ts'
import { MAX_PENDING, StateJournal } from '../../../src/server/state/state-journal.ts'

const entry = (orderId: number): StateEntry => ({ type: 'cancel', time: 1, account: 'ann', orderId })

const CHECKPOINT_ENTRIES = 50

function journal({ entriesBehind = 0 } = {}) {
  const writes: string[] = []
  const failures: unknown[] = []
  let full: Error | undefined
  const write = (text: string): void => {
    if (full !== undefined) throw full
    writes.push(text)
  }
  const idsIn = (text: string) => (JSON.parse(text) as { orderId: number }[]).map(({ orderId }) => orderId).join(' ')
  /** Lets the snapshot that is being written beside come to its end. */
  let finish = (): void => undefined
  const replaceBeside = async (pieces: AsyncIterable<string>, signal: AbortSignal): Promise<boolean> => {
    write('begun beside')
    await new Promise<void>((resolve) => (finish = resolve))
    let text = ''
    for await (const piece of pieces) text += piece
    if (signal.aborted) return false
    write(`${text} beside`)
    return true
  }
  const made = new StateJournal({
    store: { append: (text) => write(idsIn(text)), replace: write, replaceBeside, isInOneFile: true },
    write: writeEntry,
    join: joinEntries,
    snapshot: () => ['snap', 'shot'],
    entriesBehind,
    checkpointEntries: CHECKPOINT_ENTRIES,
    onFailure: (error) => failures.push(error),
  })
  const fail = (): Error => (full = new Error('the disk is full'))
  return { journal: made, writes, failures, fail, finish: () => finish() }
}

/** A promise that is there, and what became of it. */
async function outcome(promise: Promise<void> | undefined): Promise<string> {
  if (promise === undefined) return 'nothing to wait for'
  return promise.then(
    () => 'durable',
    (error: unknown) => String((error as { code?: unknown }).code),
  )
}

describe('a journal of a state', () => {
  it('writes all entries of a turn in one commit, and then everyone who waits hears of it', async () => {
    const { journal: made, writes } = journal()
    expect(made.durable()).toBeUndefined()
    made.add(entry(1))
    const first = made.durable()
    made.add(entry(2))
    const second = made.durable()
    expect(writes).toEqual([])
    expect(await Promise.all([outcome(first), outcome(second)])).toEqual(['durable', 'durable'])
    expect(writes).toEqual(['1 2'])
    expect(made.durable()).toBeUndefined()
    made.add(entry(3))
    expect(await outcome(made.durable())).toBe('durable')
    expect(writes).toEqual(['1 2', '3'])
  })

  it('writes what no one waits for as well, a little later', async () => {
    const { journal: made, writes } = journal()
    made.add(entry(1))
    await setImmediate()
    made.add(entry(2))
    expect(writes).toEqual([])
    while (writes.length === 0) await setTimeout(5)
    expect(writes).toEqual(['1 2'])
  })

  it('never settles what could not be written, says so once, and takes nothing more', async () => {
    const { journal: made, writes, failures, fail } = journal()
    made.add(entry(1))
    await made.durable()
    const error = fail()
    made.add(entry(2))
    expect(await outcome(made.durable())).toBe('ENGINE_TIMEOUT')
    expect(await outcome(made.durable())).toBe('ENGINE_TIMEOUT')
    expect(() => made.add(entry(3))).toThrow('the engine has stopped')
    expect(() => made.checkpoint()).toThrow(error)
    expect(() => made.close()).toThrow(error)
    expect(failures).toEqual([error])
    expect(writes).toEqual(['1'])
  })

  it('writes a snapshot beside when there are enough entries, takes more meanwhile, and counts again from it', async () => {
    const { journal: made, writes, finish } = journal({ entriesBehind: CHECKPOINT_ENTRIES - 2 })
    for (const id of [1, 2, 3]) {
      made.add(entry(id))
      await made.durable()
    }
    expect(writes).toEqual(['1', '2', 'begun beside', '3'])
    finish()
    while (writes.length === 4) await setImmediate()
    expect(writes.at(-1)).toBe('snapshot beside')
    for (let id = 4; id <= CHECKPOINT_ENTRIES + 1; id += 1) made.add(entry(id))
    await made.durable()
    expect(writes).toHaveLength(6)
    made.add(entry(0))
    await made.durable()
    expect(writes.slice(6)).toEqual(['0', 'begun beside'])
  })

  it.each(['checkpoint', 'close', 'abandon'] as const)('gives up the snapshot beside at its %s', async (end) => {
    const { journal: made, writes, finish, failures } = journal({ entriesBehind: CHECKPOINT_ENTRIES })
    made.add(entry(1))
    await made.durable()
    made[end]()
    finish()
    await setTimeout(5)
    expect(writes).toEqual(['1', 'begun beside', ...(end === 'checkpoint' ? ['snapshot'] : [])])
    expect(failures).toEqual([])
  })

  it('says so when a snapshot beside cannot be written, and takes nothing more', async () => {
    const { journal: made, finish, failures, fail } = journal({ entriesBehind: CHECKPOINT_ENTRIES })
    made.add(entry(1))
    expect(await outcome(made.durable())).toBe('durable')
    const error = fail()
    finish()
    while (failures.length === 0) await setImmediate()
    expect(failures).toEqual([error])
    expect(() => made.add(entry(2))).toThrow('the engine has stopped')
    expect(await outcome(made.durable())).toBe('ENGINE_TIMEOUT')
  })

  it('keeps no more of one turn in memory than it must', async () => {
    const { journal: made, writes } = journal()
    for (let id = 1; id <= MAX_PENDING + 1; id += 1) made.add(entry(id))
    expect(writes).toHaveLength(1)
    expect(await outcome(made.durable())).toBe('durable')
    expect(writes.slice(1)).toEqual([`${MAX_PENDING + 1}`, 'begun beside'])
  })

  it('writes a snapshot when it is asked to, unless nothing has happened', () => {
    const { journal: made, writes } = journal()
    made.checkpoint()
    made.add(entry(1))
    made.checkpoint()
    made.checkpoint()
    expect(writes).toEqual(['snapshot'])
  })

  it('saves work as one snapshot, and goes on with entries after it', async () => {
    const { journal: made, writes } = journal()
    made.add(entry(1))
    made.saveAtOnce(() => {
      for (let each = 0; each < 2 * MAX_PENDING; each += 1) made.add(entry(2))
      expect(writes).toEqual([])
    })
    expect(writes).toEqual(['snapshot'])
    expect(made.durable()).toBeUndefined()
    made.add(entry(3))
    expect(await outcome(made.durable())).toBe('durable')
    expect(writes).toEqual(['snapshot', '3'])
  })

  it('saves nothing of work that fails, and takes nothing more', () => {
    const { journal: made, writes } = journal()
    const failed = (): void => {
      made.add(entry(1))
      throw new Error('it fails')
    }
    expect(() => {
      made.saveAtOnce(failed)
    }).toThrow('it fails')
    expect(() => made.add(entry(2))).toThrow('the engine has stopped')
    made.close()
    expect(writes).toEqual([])
  })

  it('says so when the snapshot of work cannot be written', () => {
    const { journal: made, failures, fail } = journal()
    const error = fail()
    expect(() => {
      made.saveAtOnce(() => {
        made.add(entry(1))
      })
    }).toThrow(error)
    expect(failures).toEqual([error])
  })

  it('settles with a checkpoint what waits for the end of the turn', async () => {
    const { journal: made, writes } = journal()
    made.add(entry(1))
    const durable = made.durable()
    made.checkpoint()
    expect(made.durable()).toBeUndefined()
    expect(await outcome(durable)).toBe('durable')
    await setImmediate()
    expect(writes).toEqual(['snapshot'])
  })

  it('writes no snapshot of a state that went wrong, only what led to it', () => {
    const { journal: made, writes } = journal({ entriesBehind: CHECKPOINT_ENTRIES })
    made.add(entry(1))
    made.abandon()
    expect(() => made.add(entry(2))).toThrow('the engine has stopped')
    made.checkpoint()
    made.close()
    expect(writes).toEqual(['1'])
  })

  it('writes what is pending when it is closed, and nothing after it', async () => {
    const { journal: made, writes } = journal()
    made.add(entry(1))
    made.close()
    expect(() => made.add(entry(2))).toThrow('the engine has stopped')
    made.checkpoint()
    await setTimeout(120)
    expect(writes).toEqual(['1'])
  })
})
