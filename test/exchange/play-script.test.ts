/**
 * What is reported of an exchange that is wrong.
 */
import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/domain/command.ts'
import type { ExchangeEvent } from '../../src/domain/exchange-event.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { ExchangeConfig, SnapshotExchange } from '../../src/exchange/exchange.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { failureText, playScripts } from './rig/play-script.ts'
import { shrink } from './rig/shrink.ts'

/** Does as it should until the third cancel, of which it reports a minute too late. */
function forgetful(config: ExchangeConfig): SnapshotExchange {
  const exchange = createExchange(config)
  let cancels = 0
  const execute = (command: Command): readonly ExchangeEvent[] => {
    const events = exchange.execute(command)
    if (command.type === 'cancel') cancels += 1
    return cancels === 3 ? events.map((event) => ({ ...event, time: event.time + 60_000 })) : events
  }
  return new Proxy(exchange, {
    get: (target, name) => {
      if (name === 'execute') return execute
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

describe('a difference', () => {
  const options = { create: forgetful, restore: restoreExchange, lookEvery: 8, restartEvery: Infinity }

  it('is reported with what it is, the command that shows it again, and the fewest commands that lead to it', () => {
    const { failure } = playScripts({ seed: 5, commands: 10_000 }, options)
    if (failure === undefined) throw new Error('it is found')
    const [what, again, shrunk, ...actions] = failureText(failure, options, 'again: this').split('\n')
    expect(what).toMatch(/^Difference: events\.0\.time: found [0-9]+, expected [0-9]+$/)
    expect(again).toBe('again: this')
    expect(shrunk).toMatch(/^shrunk: Difference: events\.0\.time/)
    expect(actions).toHaveLength(3)
    for (const action of actions) expect(action).toContain('"type":"cancel"')
  })
})

describe('shrink', () => {
  it.each`
    steps                       | needed       | why
    ${[1, 2, 3, 4, 5, 6, 7, 8]} | ${[3]}       | ${'one step fails by itself'}
    ${[1, 2, 3, 4, 5, 6, 7, 8]} | ${[1, 8]}    | ${'the first and the last are needed'}
    ${[1, 2, 3]}                | ${[1, 2, 3]} | ${'all are needed'}
    ${[1, 2, 3, 4, 5]}          | ${[]}        | ${'it fails whatever is done'}
    ${[]}                       | ${[]}        | ${'there is nothing to take away'}
  `('$why: $steps -> $needed', ({ steps, needed }: { steps: number[]; needed: number[] }) => {
    expect(shrink(steps, (some) => needed.every((step) => some.includes(step)))).toEqual(needed)
  })
})
