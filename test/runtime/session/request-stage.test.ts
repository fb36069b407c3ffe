/**
 * Stages between intent and submission, one behind the other.
 */
import { describe, expect, it } from 'vitest'
import type { Refuser } from '../../../src/domain/refusal.ts'
import { throughStages, type PendingRequest, type RequestStage } from '../../../src/runtime/session/request-stage.ts'
import { buyMarket } from '../../../src/strategy/orders.ts'

const REFUSAL = { code: 'ORDER_REJECTED', message: 'too much' } as const

/** Holds every request until it is asked to let them go. */
class Gate implements RequestStage {
  readonly #held: (() => void)[] = []

  get waiting(): number {
    return this.#held.length
  }

  submit(request: PendingRequest, pass: (request: PendingRequest) => void): void {
    this.#held.push(() => pass(request))
  }

  open(): void {
    for (const go of this.#held.splice(0)) go()
  }
}

const noting = (name: string, notes: string[]): RequestStage => ({
  waiting: 0,
  submit: (request, pass) => {
    notes.push(name)
    pass(request)
  },
})

const refusing: RequestStage = { waiting: 0, submit: (request) => request.refuse('session', REFUSAL) }

function requestWith(notes: string[]): PendingRequest {
  return {
    reference: 1,
    placed: { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: 1 },
    intent: buyMarket('BTC_USD', '1'),
    send: () => void notes.push('sent'),
    refuse: (by: Refuser, { code }) => void notes.push(`${by} ${code}`),
  }
}

describe('a request', () => {
  it('goes through the stages in their order, and is sent behind the last', () => {
    const notes: string[] = []
    throughStages([noting('first', notes), noting('second', notes)])(requestWith(notes))
    expect(notes).toEqual(['first', 'second', 'sent'])
  })

  it('that a stage refuses comes to no other, and is not sent', () => {
    const notes: string[] = []
    throughStages([noting('first', notes), refusing, noting('third', notes)])(requestWith(notes))
    expect(notes).toEqual(['first', 'session ORDER_REJECTED'])
  })

  it('that a stage holds is sent when it is let go', () => {
    const notes: string[] = []
    const gate = new Gate()
    throughStages([gate, noting('behind', notes)])(requestWith(notes))
    expect([gate.waiting, notes]).toEqual([1, []])
    gate.open()
    expect([gate.waiting, notes]).toEqual([0, ['behind', 'sent']])
  })

  it('without any stage is sent at once', () => {
    const notes: string[] = []
    throughStages([])(requestWith(notes))
    expect(notes).toEqual(['sent'])
  })
})
