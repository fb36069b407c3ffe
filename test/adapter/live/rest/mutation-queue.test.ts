import { describe, expect, it } from 'vitest'
import { type GatedRequest, MutationQueue } from '../../../../src/adapter/live/rest/mutation-queue.ts'
import { ClientBudget } from '../../../../src/adapter/live/rest/client-budget.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { whole } from '../rig/manual-transport.ts'

function rig(openOrders: () => number = () => 0) {
  const time = new FakeLiveTime()
  const budget = new ClientBudget({ time, openOrders })
  const queue = new MutationQueue({ time, budget })
  const reported: string[] = []
  const submit = (
    name: string,
    urgency: GatedRequest['urgency'],
    onLimit: GatedRequest['onLimit'] = 'wait',
  ): (() => boolean) =>
    queue.submit({
      urgency,
      onLimit,
      send: () => {
        reported.push(name)
        return !name.startsWith('none')
      },
      refuse: () => reported.push(`no ${name}`),
    })
  /** Leaves no place, until a window after now. */
  const exhaust = (): void => {
    for (let index = 0; index < 30; index += 1) {
      budget.takeMutation('cancel')
      budget.onAnswer('cancel', whole(200))
    }
  }
  return { time, budget, queue, reported, submit, exhaust }
}

describe('the queue of a key', () => {
  it('sends at once what there is a place for', () => {
    const { reported, submit } = rig()
    submit('a', 'entry')
    submit('b', 'cancel')
    expect(reported).toEqual(['a', 'b'])
  })

  it('sends cancels that wait first, then what closes a position, then the rest, and each kind in its order', async () => {
    const { time, reported, submit, exhaust, queue } = rig()
    exhaust()
    submit('entry 1', 'entry')
    submit('exit 1', 'exit')
    submit('cancel 1', 'cancel')
    submit('entry 2', 'entry')
    submit('exit 2', 'exit')
    submit('cancel 2', 'cancel')
    expect(queue.waiting).toBe(6)
    await time.pass(60_000)
    expect(reported).toEqual([])
    await time.pass(1_000)
    expect(reported).toEqual(['cancel 1', 'cancel 2', 'exit 1', 'exit 2', 'entry 1', 'entry 2'])
    expect(queue.waiting).toBe(0)
  })

  it('gives the place of one that does not leave after all to others', () => {
    const { budget, reported, submit } = rig()
    for (let index = 0; index < 100; index += 1) submit('none', 'entry')
    submit('one', 'entry')
    expect(reported.at(-1)).toBe('one')
    expect(budget.snapshot().mutations.remaining).toBe(29)
  })

  it('lets a cancel through while creations wait for the part that is kept for cancels', () => {
    const { reported, submit } = rig(() => 0)
    for (let index = 1; index <= 21; index += 1) submit(`create ${index}`, 'entry')
    expect(reported).toHaveLength(20)
    submit('cancel', 'cancel')
    expect(reported.at(-1)).toBe('cancel')
  })

  it('refuses at once who does not want to wait, also behind those who wait', () => {
    const { reported, submit, exhaust } = rig()
    exhaust()
    submit('a', 'entry', 'refuse')
    submit('b', 'cancel', 'wait')
    submit('c', 'cancel', 'refuse')
    expect(reported).toEqual(['no a', 'no c'])
  })

  it('drops what is withdrawn, once, and not what has left', async () => {
    const { time, reported, submit, exhaust } = rig()
    const sent = submit('sent', 'entry')
    exhaust()
    const withdraw = submit('waiting', 'entry')
    expect([sent(), withdraw(), withdraw()]).toEqual([false, true, false])
    await time.pass(120_000)
    expect(reported).toEqual(['sent'])
  })

  it('sees that an order was filled, which makes room', async () => {
    let open = 100
    const { time, reported, submit } = rig(() => open)
    for (let index = 1; index <= 11; index += 1) submit(`create ${index}`, 'entry')
    expect(reported).toHaveLength(10)
    open = 0
    await time.pass(1_000)
    expect(reported).toHaveLength(11)
  })

  it('sends in an event of the session when an answer made room', async () => {
    const { time, budget, reported, submit } = rig()
    for (let index = 0; index < 30; index += 1) budget.takeMutation('cancel')
    submit('a', 'cancel')
    budget.onAnswer('cancel', { type: 'no-answer', reason: 'refused', isUnsent: true })
    expect(reported).toEqual([])
    await time.pass(0)
    expect(reported).toEqual(['a'])
  })

  it('refuses what waits when it is closed, and what comes later', () => {
    const { queue, reported, submit, exhaust } = rig()
    exhaust()
    submit('a', 'entry')
    submit('b', 'cancel')
    queue.close()
    submit('c', 'cancel')
    expect(reported).toEqual(['no b', 'no a', 'no c'])
  })
})
