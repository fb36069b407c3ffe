/**
 * Orders that wait, on the disk of a live account.
 */
import { join } from 'node:path'
import { Database } from '../../../database.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PersistedExpiry, PersistedGroup } from '../../../../src/store/state/live/persisted-conditional.ts'
import { LiveState } from '../../../../src/store/state/live/live-state.ts'
import { savedIntent } from '../../rig/saved-intents.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const files = temporaryFiles()
let count = 0
let file = ''
beforeEach(() => {
  count += 1
  file = join(files.folder, `live-${count}.db`)
})

const LINK = { session: 'session-1', reference: 7 }

const group = (id: string): PersistedGroup => ({
  kind: 'group',
  id,
  symbol: 'BTC_USD',
  waiting: [],
  open: '1.5',
  unarmed: '0',
  pending: undefined,
  isStopMade: false,
  isStopped: false,
  isOver: false,
  exits: undefined,
  expires: undefined,
  orders: [
    {
      role: 'exit',
      by: id,
      symbol: 'BTC_USD',
      side: 'SELL',
      price: undefined,
      qty: '1.5',
      tag: 'out',
      link: LINK,
      id: undefined,
      isUnwanted: false,
      isTrimmed: false,
      filled: '0.5',
      fired: undefined,
    },
  ],
  absent: [],
  entryExpires: 12,
})
const expiry: PersistedExpiry = { kind: 'expiry', id: 'e1', expires: 5, link: undefined }

const within = <T>(action: (state: LiveState) => T): T => {
  const state = LiveState.openOrMake(file)
  try {
    return action(state)
  } finally {
    state.close()
  }
}

const changed = (sql: string): void => {
  const database = new Database(file)
  database.exec(sql)
  database.close()
}

describe('orders that wait', () => {
  it('are as they were written, those of each owner apart, in the order of their numbers', () => {
    within(({ waits }) => {
      waits.save('one', [group('w10'), group('w2'), expiry])
      waits.save('two', [group('w1')])
    })
    within(({ waits }) => {
      expect(waits.owners()).toEqual(['one', 'two'])
      expect(waits.of('one')).toEqual([expiry, group('w2'), group('w10')])
      waits.save('one', [{ ...group('w2'), open: '-1' }], ['w10', 'e1'])
    })
    within(({ waits }) => {
      expect(waits.of('one')).toEqual([{ ...group('w2'), open: '-1' }])
      expect(waits.of('two')).toEqual([group('w1')])
    })
  })

  it.each([
    [
      'a row that is cut',
      `UPDATE wait SET body = substr(body, 1, 40)`,
      /is damaged \(conditional order w1 of 'one' is not as it was written\)/,
    ],
    ['a row under another id', `UPDATE wait SET id = 'w2'`, /is damaged \(conditional order w2 of 'one' says w1\)/],
  ])('are refused with the name of the file: %s', (_, sql, message) => {
    within(({ waits }) => {
      waits.save('one', [group('w1')])
    })
    changed(sql)
    within(({ waits }) => {
      expect(() => waits.of('one')).toThrow(message)
      expect(() => waits.of('one')).toThrow(file)
    })
  })

  it('have a place in a file of before there were any, whose intents stay', () => {
    within((state) => {
      state.save(savedIntent(1))
    })
    changed('DROP TABLE wait; PRAGMA user_version = 1')
    within((state) => {
      expect(state.intents()).toEqual([savedIntent(1)])
      state.waits.save('one', [group('w1')])
    })
    within(({ waits }) => {
      expect(waits.of('one')).toEqual([group('w1')])
    })
  })

  it('keep the finished intents of which they will ask, however old', () => {
    const [finished, other] = [1, 2].map((id) => ({ ...savedIntent(id), isFinished: true, changedAt: 10 }))
    if (finished === undefined || other === undefined) throw new Error('two were made')
    within((state) => {
      state.save({ ...finished, owner: 'one', ...LINK })
      state.save({ ...other, owner: 'two', ...LINK })
      state.waits.save('one', [group('w1')])
    })
    within((state) => {
      expect(state.dropFinished(1_000)).toBe(1)
      expect(state.intentOf('one', LINK)?.id).toBe(1)
      expect(state.intentOf('two', LINK)).toBeUndefined()
      expect(state.intentOf('one', { ...LINK, reference: 8 })).toBeUndefined()
      state.waits.save('one', [], ['w1'])
      expect(state.dropFinished(1_000)).toBe(1)
    })
  })
})
