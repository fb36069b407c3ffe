import { expect, it } from 'vitest'
import { FairScheduler, type Gate } from '../../../src/server/http/fair-scheduler.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function gate(): Gate & { readonly calls: string[] } {
  const calls: string[] = []
  const call = (name: string) => (): void => void calls.push(name)
  return { calls, pause: call('pause'), resume: call('resume'), destroy: call('destroy') }
}

it('does little at once, the rest in its order, and does not read on before', async () => {
  const turns = new FairScheduler()
  const door = gate()
  const sender = turns.sender(door)
  const done: number[] = []
  for (let task = 0; task < 200; task += 1) sender.run(() => void done.push(task))
  expect(done.length).toBeLessThanOrEqual(32)
  expect(door.calls).toEqual(['pause'])
  while (door.calls.length < 2) await turn()
  expect(door.calls).toEqual(['pause', 'resume'])
  expect(done).toEqual(Array.from({ length: 200 }, (_, task) => task))
})

it('does one of each in turn', async () => {
  const turns = new FairScheduler()
  const doors = [gate(), gate()]
  const order: number[] = []
  for (const [index, door] of doors.entries()) {
    const sender = turns.sender(door)
    for (let task = 0; task < 100; task += 1) sender.run(() => void order.push(index))
  }
  order.length = 0
  while (doors.some(({ calls }) => calls.length < 2)) await turn()
  expect(order.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, at) => at % 2))
})

it('does no second one when the first took long', async () => {
  const turns = new FairScheduler()
  const sender = turns.sender(gate())
  let done = 0
  const slow = (): void => {
    const end = performance.now() + 5
    while (performance.now() < end);
    done += 1
  }
  for (let task = 0; task < 3; task += 1) sender.run(slow)
  expect(done).toBe(1)
  await turn()
  expect(done).toBe(2)
})

it('cuts off who waits, and does nothing more of it', async () => {
  const turns = new FairScheduler()
  const [busy, idle] = [gate(), gate()]
  const done: number[] = []
  const sender = turns.sender(busy)
  turns.sender(idle).run(() => void done.push(-1))
  for (let task = 0; task < 100; task += 1) sender.run(() => void done.push(task))
  const before = done.length
  turns.cut()
  await turn()
  expect(done).toHaveLength(before)
  expect([busy.calls, idle.calls]).toEqual([['pause', 'destroy'], []])
})

it('leaves the gate of one who has left alone', async () => {
  const turns = new FairScheduler()
  const door = gate()
  const sender = turns.sender(door)
  sender.rest()
  sender.leave()
  let done = 0
  sender.run(() => {
    done += 1
  })
  while (done === 0) await turn()
  expect(door.calls).toEqual(['pause'])
})
