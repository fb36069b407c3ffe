import { expect, it } from 'vitest'
import { TurnWatch } from '../../../src/cli/thread/turn-watch.ts'
import { Heartbeat } from '../../../src/runtime/heartbeat.ts'

function watched(): { heartbeat: Heartbeat; look: (limit: number | 'off', times: number) => string[] } {
  const heartbeat = new Heartbeat(new SharedArrayBuffer(Heartbeat.BYTES))
  const watch = new TurnWatch(heartbeat)
  return { heartbeat, look: (limit, times) => Array.from({ length: times }, () => watch.look(limit)) }
}

it('tells once of a heart that stands still, and says when it has for as long as it may', () => {
  const { heartbeat, look } = watched()
  heartbeat.enter('running')
  const looks = look(12, 13)
  expect(looks.map((found, second) => [second, found]).filter(([, found]) => found !== 'fine')).toEqual([
    [10, 'slow'],
    [12, 'over'],
  ])
})

it('begins anew with each beat, each stage, and while somebody else is waited for', () => {
  const { heartbeat, look } = watched()
  heartbeat.enter('loading')
  for (const step of [() => heartbeat.beat(), () => heartbeat.enter('running'), () => heartbeat.enter('waiting')]) {
    expect(look(3, 3)).toEqual(['fine', 'fine', 'fine'])
    step()
  }
  expect(look(3, 100)).not.toContain('over')
})

it('ends nothing when it is off', () => {
  const { heartbeat, look } = watched()
  heartbeat.enter('running')
  expect(look('off', 1000).filter((found) => found !== 'fine')).toEqual(['slow'])
})
