/**
 * Words of operators on their way to the process of a live account, and what they do where there is none.
 */
import { join } from 'node:path'
import { Database } from '../../../database.ts'
import { describe, expect, it } from 'vitest'
import { adoptOrder, disownIntent } from '../../../../src/store/state/live/decide-intent.ts'
import {
  saveSessionState,
  saveStatus,
  persistedSessionState,
  persistedStatus,
} from '../../../../src/store/state/live/persisted-facts.ts'
import type { PersistedIntent } from '../../../../src/store/state/live/persisted-intent.ts'
import { LiveState } from '../../../../src/store/state/live/live-state.ts'
import type { OperatorCommand } from '../../../../src/store/state/live/operator-command.ts'
import { savedIntent } from '../../rig/saved-intents.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { folder } = temporaryFiles()
let made = 0

/** The process that has the account, and an operator beside it, on one file. */
function pair(): { readonly file: string; readonly live: LiveState; readonly operator: LiveState } {
  const file = join(folder, `live-${(made += 1)}.db`)
  const live = LiveState.openOrMake(file)
  return { file, live, operator: LiveState.open(file) }
}

const ALL: readonly OperatorCommand[] = [
  { kind: 'halt' },
  { kind: 'reduce' },
  { kind: 'resume', symbol: undefined },
  { kind: 'resume', symbol: 'BTC_USD' },
  { kind: 'adopt', intent: 3, order: 'o-7' },
  { kind: 'disown', intent: 3 },
  { kind: 'flatten', wholeAccount: true, isDry: false, withinMs: 120_000 },
]

describe('the commands of operators', () => {
  it('are taken once, in the order in which they came, and answered', () => {
    const { live, operator } = pair()
    const ids = ALL.map((command) => operator.commands.request(command, 5))
    expect(live.commands.take(6)).toEqual(ALL.map((command, index) => ({ id: ids[index], command })))
    expect(live.commands.take(7)).toEqual([])
    for (const id of ids) {
      expect(operator.commands.answerTo(id)).toBeUndefined()
      live.commands.answer(id, { isDone: true, message: `done ${id}` })
      live.commands.answer(id, { isDone: false, message: 'a second word' })
      expect(operator.commands.answerTo(id)).toEqual({ isDone: true, message: `done ${id}` })
    }
  })

  it('are never taken after they were withdrawn, and not withdrawn after they were taken', () => {
    const { live, operator } = pair()
    const early = operator.commands.request({ kind: 'halt' }, 5)
    expect(operator.commands.withdraw(early)).toBe(true)
    expect(live.commands.take(6)).toEqual([])
    const late = operator.commands.request({ kind: 'halt' }, 7)
    expect(live.commands.take(8)).toEqual([{ id: late, command: { kind: 'halt' } }])
    expect(operator.commands.withdraw(late)).toBe(false)
    expect(late).toBeGreaterThan(early)
  })

  it('are answered for a process that is gone, taken or not, and not done by the next one', () => {
    const { live, operator } = pair()
    const taken = operator.commands.request({ kind: 'halt' }, 5)
    live.commands.take(6)
    const left = operator.commands.request({ kind: 'reduce' }, 7)
    live.commands.close('the process ended', 8)
    expect(live.commands.take(9)).toEqual([])
    for (const id of [taken, left]) {
      expect(operator.commands.answerTo(id)).toEqual({ isDone: false, message: 'the process ended' })
    }
    live.commands.close('again', 8 + 25 * 3_600_000)
    expect(operator.commands.answerTo(taken)).toBeUndefined()
  })

  it('of another version are answered, and do not stand in the way of the others', () => {
    const { file, live, operator } = pair()
    const strange = operator.commands.request({ kind: 'halt' }, 5)
    const database = new Database(file)
    database.exec(`UPDATE command SET body = '{"kind":"dance"}'`)
    database.close()
    const id = operator.commands.request({ kind: 'reduce' }, 6)
    expect(live.commands.take(7)).toEqual([{ id, command: { kind: 'reduce' } }])
    expect(operator.commands.answerTo(strange)).toMatchObject({ isDone: false })
  })
})

describe('facts that are kept', () => {
  it('are the last ones, for every process', () => {
    const { live, operator } = pair()
    expect([persistedSessionState(operator), persistedStatus(operator)]).toEqual([undefined, undefined])
    saveSessionState(live, { state: 'HALTED', reason: 'by an operator', since: 5 })
    saveSessionState(live, { state: 'REDUCING', reason: 'by an operator', since: 6 })
    saveStatus(live, { version: '1', pid: 7, time: 8, status: { equity: '1.5' } })
    expect(persistedSessionState(operator)).toEqual({ state: 'REDUCING', reason: 'by an operator', since: 6 })
    expect(persistedStatus(operator)).toEqual({ version: '1', pid: 7, time: 8, status: { equity: '1.5' } })
  })
})

describe('a word about an intent', () => {
  const undecided = (...intents: readonly PersistedIntent[]): LiveState => {
    const { live } = pair()
    for (const intent of intents) live.save(intent)
    live.block({ symbol: 'BTC_USD', why: 'AMBIGUOUS', reason: 'two orders', since: 5 })
    return live
  }
  const ambiguous = (id: number): PersistedIntent => savedIntent(id, { state: 'AMBIGUOUS' })

  it('ties its order to it, and ends the halt with the last one that waited', () => {
    const state = undecided(ambiguous(1), ambiguous(2))
    adoptOrder(state, 1, 'o-1', 9)
    expect(state.intents()[0]).toEqual(savedIntent(1, { state: 'PLACED', orderId: 'o-1', changedAt: 9 }))
    // It is known when it was read.
    expect(state.knownIds()).toEqual([])
    expect(state.blockedMarkets()).toHaveLength(1)
    disownIntent(state, 2, 10)
    expect(state.intents()[1]).toEqual(savedIntent(2, { state: 'DISOWNED', isFinished: true, changedAt: 10 }))
    expect(state.blockedMarkets()).toEqual([])
  })

  it('leaves the halt of another market, and one for a ghost', () => {
    const state = undecided(ambiguous(1))
    state.block({ symbol: 'ETH_USD', why: 'AMBIGUOUS', reason: 'two orders', since: 5 })
    state.block({ symbol: 'BTC_USD', why: 'GHOST', reason: 'late', since: 5 })
    disownIntent(state, 1, 9)
    expect(state.blockedMarkets().map(({ symbol }) => symbol)).toEqual(['BTC_USD', 'ETH_USD'])
  })

  it.each<{ why: string; intent: number; order: string; message: string }>([
    { why: 'an intent that is not there', intent: 9, order: 'o-9', message: 'INTENT: there is no intent 9' },
    {
      why: 'an intent with an order',
      intent: 2,
      order: 'o-7',
      message: 'INTENT: intent 2 is PLACED and needs no decision;',
    },
    {
      why: 'an order that was there before',
      intent: 3,
      order: 'o-8',
      message: 'ORDER: order o-8 existed before intent 3 was sent',
    },
    { why: 'an order that has its intent', intent: 1, order: 'o-2', message: 'ORDER: order o-2 belongs to intent 2' },
  ])('is refused for $why, and changes nothing', ({ intent, order, message }) => {
    const sentBehind = { ...ambiguous(3), knownCount: 1 }
    const state = undecided(ambiguous(1), savedIntent(2, { state: 'PLACED', orderId: 'o-2' }), sentBehind)
    state.addKnownIds(['o-8', 'o-9'])
    const before = state.intents()
    expect(() => adoptOrder(state, intent, order, 9)).toThrow(message)
    expect([state.intents(), state.blockedMarkets().length]).toEqual([before, 1])
  })
})
