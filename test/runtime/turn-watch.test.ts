import { expect, it } from 'vitest'
import { TurnWatch } from '../../src/runtime/turn-watch.ts'
import { Heartbeat } from '../../src/runtime/heartbeat.ts'

function watched(): { heartbeat: Heartbeat; look: (limit: number | 'off', times: number) => string[] } {
  const heartbeat = new Heartbeat(new SharedArrayBuffer(Heartbeat.BYTES))
  const watch = new TurnWatch(heartbeat)
  return { heartbeat, look: (limit, times) => Array.from({ length: times }, () => watch.look(limit)) }
}

it('reports a heart that stands still once, and says when it has for as long as it may', () => {
  const { heartbeat, look } = watched()
  heartbeat.enter('running')
  const looks = look(12, 13)
  expect(looks.map((found, second) => [second, found]).filter(([, found]) => found !== 'fine')).toEqual([
    [10, 'slow'],
    [12, 'over'],
  ])
})

it('begins again with each beat, each stage, and while somebody else is waited for', () => {
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

it('reports events at one time of the run, which are as long a turn, and nothing about a thread that waits', () => {
  const { heartbeat, look } = watched()
  heartbeat.enter('running')
  heartbeat.time[0] = 1_000
  const beats = (events: number, passed: number): string => {
    for (let event = 0; event < events; event += 1) heartbeat.beat()
    heartbeat.time[0] = (heartbeat.time[0] ?? 0) + passed
    return look(12, 1)[0] ?? ''
  }
  beats(30, 0)
  const found = Array.from({ length: 12 }, () => beats(30, 0))
  expect([found.indexOf('slow'), found.indexOf('over')]).toEqual([9, 11])
  expect(beats(30, 60_000)).toBe('fine')
  expect(Array.from({ length: 100 }, () => beats(2, 0))).not.toContain('over')
})

it('reports events that are a millisecond apart once, and ends nothing', () => {
  const { heartbeat, look } = watched()
  heartbeat.enter('running')
  heartbeat.time[0] = 1_000
  const found = Array.from({ length: 100 }, () => {
    for (let event = 0; event < 500; event += 1) heartbeat.beat()
    heartbeat.time[0] = (heartbeat.time[0] ?? 0) + 500
    return look(12, 1)[0]
  })
  expect(found.filter((each) => each !== 'fine')).toEqual(['crawling'])
})
