/**
 * The file of a live account: what was taken comes back, ids are never given twice, and a file that is not as it was is
 * refused.
 */
import { chmodSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Database } from '../../../database.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InputError } from '../../../../src/domain/errors.ts'
import type { PersistedIntent, BlockedMarket } from '../../../../src/store/state/live/persisted-intent.ts'
import { LIVE_FILE_FORM } from '../../../../src/store/state/live/live-file.ts'
import { LiveState } from '../../../../src/store/state/live/live-state.ts'
import { savedIntent, savedIntents } from '../../rig/saved-intents.ts'
import { copyStateFile } from '../../rig/state-file-copy.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { folder } = temporaryFiles()
let made = 0
const freshPath = (): string => join(folder, `live-${(made += 1)}.db`)

const HALT: BlockedMarket = { symbol: 'BTC_USD', why: 'GHOST', reason: 'order 7 came late', since: 5 }

/** All that a file says. */
function contentOf(file: string): unknown {
  const state = LiveState.open(file)
  try {
    return [
      state.intents(),
      state.knownIds(),
      state.blockedMarkets(),
      state.nextId,
      state.savedValue('note', z.string()),
    ]
  } finally {
    state.close()
  }
}

/** A file with a row of each kind, closed. */
function closedFile(file = freshPath()): string {
  const state = LiveState.openOrMake(file)
  state.save(savedIntent(1))
  state.save(savedIntent(2, { state: 'PLACED', orderId: 'o-2' }))
  state.addKnownIds(['o-1', 'o-2'])
  state.block(HALT)
  state.saveValue('note', z.string(), 'kept')
  state.close()
  return file
}

/** Why the file is refused, without its name. */
function refusalOf(file: string): string {
  try {
    contentOf(file)
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    expect((error as InputError).where).toBe(file)
    return (error as InputError).message.slice(file.length + 2)
  }
  return 'not refused'
}

describe('the state of a live account', () => {
  it('has the last form of every intent that was saved, after it was opened again', () =>
    fc.assert(
      fc.property(fc.array(savedIntents, { maxLength: 12 }), (saved) => {
        const file = freshPath()
        const state = LiveState.openOrMake(file)
        for (const intent of saved) state.save(intent)
        state.close()
        const last = new Map<number, PersistedIntent>(saved.map((intent) => [intent.id, intent]))
        const again = LiveState.open(file)
        expect(again.intents()).toStrictEqual([...last.values()].sort((a, b) => a.id - b.id))
        expect(again.nextId).toBe(Math.max(0, ...last.keys()) + 1)
        again.close()
        rmSync(file)
      }),
      { numRuns: 20 },
    ))

  it('keeps the place of every known id, however often it is added', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('\ud800', '\udfff', '\0')), { maxLength: 6 }),
          { maxLength: 6 },
        ),
        (batches) => {
          const file = freshPath()
          const state = LiveState.openOrMake(file)
          for (const batch of batches) state.addKnownIds(batch)
          state.close()
          const again = LiveState.open(file)
          expect(again.knownIds()).toEqual([...new Set(batches.flat())])
          again.close()
          rmSync(file)
        },
      ),
      { numRuns: 20 },
    ))

  it('gives no id of an intent again, also after the intent was dropped', () => {
    const file = freshPath()
    const state = LiveState.openOrMake(file)
    expect(state.nextId).toBe(1)
    state.save(savedIntent(1))
    state.save(savedIntent(5, { isFinished: true, changedAt: 100 }))
    expect(state.dropFinished(100)).toBe(0)
    expect(state.dropFinished(101)).toBe(1)
    expect(state.intents().map(({ id }) => id)).toEqual([1])
    expect(state.nextId).toBe(6)
    state.close()
    const again = LiveState.openOrMake(file)
    expect(again.nextId).toBe(6)
    again.close()
  })

  it('drops no intent that is not finished, however old it is', () => {
    const state = LiveState.openOrMake(freshPath())
    state.save(savedIntent(1, { isFinished: true, changedAt: 1 }))
    state.save(savedIntent(1, { isFinished: false, changedAt: 1 }))
    expect(state.dropFinished(1_000)).toBe(0)
    state.close()
  })

  it('has halts until they are ended, one a symbol', () => {
    const state = LiveState.openOrMake(freshPath())
    state.block(HALT)
    state.block({ ...HALT, why: 'AMBIGUOUS' })
    state.block({ ...HALT, symbol: 'A' })
    expect(state.blockedMarkets()).toEqual([
      { ...HALT, symbol: 'A' },
      { ...HALT, why: 'AMBIGUOUS' },
    ])
    state.unblock('A')
    state.unblock('A')
    expect(state.blockedMarkets().map(({ symbol }) => symbol)).toEqual(['BTC_USD'])
    state.close()
  })

  it('keeps all of what is done together, or none of it', () => {
    const state = LiveState.openOrMake(freshPath())
    expect(() =>
      state.together(() => {
        state.save(savedIntent(1))
        state.addKnownIds(['o-1'])
        throw new Error('half-way')
      }),
    ).toThrow('half-way')
    expect([state.intents(), state.knownIds(), state.nextId]).toEqual([[], [], 1])
    state.addKnownIds(['o-2'])
    expect(state.knownIds()).toEqual(['o-2'])
    state.close()
  })

  it('has all of it when the process is killed, without being closed', () => {
    const [file, copy] = [freshPath(), freshPath()]
    const state = LiveState.openOrMake(file)
    state.save(savedIntent(1))
    state.addKnownIds(['o-1'])
    copyStateFile(file, copy)
    state.close()
    expect(contentOf(copy)).toEqual([[savedIntent(1)], ['o-1'], [], 2, undefined])
  })

  it('can be read beside the process that writes it', () => {
    const file = freshPath()
    const writer = LiveState.openOrMake(file)
    const reader = LiveState.open(file)
    writer.save(savedIntent(1))
    expect(reader.intents()).toEqual([savedIntent(1)])
    reader.close()
    writer.save(savedIntent(2))
    expect(writer.intents()).toHaveLength(2)
    writer.close()
  })

  it('is for no one else to read, with its log', () => {
    const file = freshPath()
    const state = LiveState.openOrMake(file)
    state.save(savedIntent(1))
    for (const part of ['', '-wal', '-shm']) expect(statSync(file + part).mode & 0o777).toBe(0o600)
    state.close()
    chmodSync(file, 0o644)
    LiveState.open(file).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is made again when its making was cut short', () => {
    const file = freshPath()
    writeFileSync(`${file}.new`, 'half')
    writeFileSync(`${file}.new-journal`, 'half')
    closedFile(file)
    expect(refusalOf(file)).toBe('not refused')
  })

  it('refuses to write what could not be read again', () => {
    const state = LiveState.openOrMake(freshPath())
    expect(() => state.save(savedIntent(1, { qty: Number.NaN }))).toThrow('a row can be read again')
    expect(state.nextId).toBe(1)
    state.close()
  })
})

const changed = (sql: string) => (): string => {
  const file = closedFile()
  const database = new Database(file)
  database.exec(sql)
  database.close()
  return file
}

describe('a file of a live account is refused', () => {
  it.each<{ why: string; message: string | RegExp; file: () => string }>([
    { why: 'when it is not there', message: 'is not there', file: freshPath },
    {
      why: 'when it is a folder',
      message: 'is not a file',
      file: () => folder,
    },
    {
      why: 'when it is empty',
      message: 'is damaged (it is empty)',
      file: () => {
        const file = freshPath()
        writeFileSync(file, '')
        return file
      },
    },
    {
      why: 'when it is something else',
      message: /^is damaged \(SQLITE_NOTADB/,
      file: () => {
        const file = freshPath()
        writeFileSync(file, 'not a database, but long enough to be one '.repeat(10))
        return file
      },
    },
    {
      why: 'when its mode says so',
      message: 'is read-only',
      file: () => {
        const file = closedFile()
        chmodSync(file, 0o400)
        return file
      },
    },
    {
      why: 'when it is of another program',
      message: 'is the database of another program',
      file: changed('PRAGMA application_id = 7'),
    },
    {
      why: 'when it is newer',
      message: `was written by a newer version of papertape (format ${LIVE_FILE_FORM + 1}; this version reads up to ${LIVE_FILE_FORM})`,
      file: changed(`PRAGMA user_version = ${LIVE_FILE_FORM + 1}`),
    },
    { why: 'without its form', message: 'is damaged (form 0)', file: changed('PRAGMA user_version = 0') },
    { why: 'without a table', message: /^is damaged \(SQLITE_ERROR/, file: changed('DROP TABLE known_id') },
    {
      why: 'when half of it is gone',
      message: /^is damaged/,
      file: () => {
        const file = closedFile()
        truncateSync(file, statSync(file).size / 2)
        return file
      },
    },
    {
      why: 'when an intent says something else',
      message: 'is damaged (intent 2 is not as it was written)',
      file: changed(`UPDATE intent SET body = replace(body, '"qty":100', '"qty":101') WHERE id = 2`),
    },
    {
      why: 'when two intents have changed places',
      message: 'is damaged (intent 1 says 2)',
      file: changed('DELETE FROM intent WHERE id = 1; UPDATE intent SET id = 1 WHERE id = 2'),
    },
    {
      why: 'when a known id is gone',
      message: 'is damaged (known id 1 is not as it was written)',
      file: changed('DELETE FROM known_id WHERE place = 1'),
    },
  ])('$why', ({ message, file }) => {
    const refused = file()
    if (typeof message === 'string') expect(refusalOf(refused)).toBe(message)
    else expect(refusalOf(refused)).toMatch(message)
  })

  it('when its log is there and it is not', () => {
    const file = freshPath()
    writeFileSync(`${file}-wal`, 'x')
    expect(() => LiveState.openOrMake(file)).toThrow(/is not there, but its log .* is: restore the file/)
  })

  it('or says what it said before, whichever of its bytes has changed', () => {
    const file = closedFile()
    const before = contentOf(file)
    const bytes = readFileSync(file)
    let refused = 0
    const copy = freshPath()
    for (let at = 0; at < bytes.length; at += 131) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0x55
      for (const part of ['-wal', '-shm']) rmSync(copy + part, { force: true })
      writeFileSync(copy, damaged)
      let after: unknown
      try {
        after = contentOf(copy)
      } catch (error) {
        expect(error).toBeInstanceOf(InputError)
        refused += 1
        continue
      }
      expect(after).toEqual(before)
    }
    expect(refused).toBeGreaterThan(0)
  })
})
