/**
 * The doings of a worker as lines.
 */
import { describe, expect, it } from 'vitest'
import { eventJson, WorkerOutput, type WorkerOutputOptions } from '../../../src/cli/worker/run-worker-command.ts'
import type { SweepWorkerEvent } from '../../../src/run.ts'

const done = (error: string | null): SweepWorkerEvent =>
  ({ type: 'done', outcome: { key: 'k', error } }) as unknown as SweepWorkerEvent

function output(more: Partial<WorkerOutputOptions> = {}): {
  hear: (event: SweepWorkerEvent) => void
  said: string[]
  at: (ms: number) => void
} {
  const said: string[] = []
  let now = 0
  const lines = new WorkerOutput({
    write: (text) => said.push(text),
    report: (line) => said.push(`! ${line}`),
    isQuiet: false,
    isTerminal: false,
    clock: () => now,
    ...more,
  })
  return { hear: (event) => lines.hear(event), said, at: (ms) => (now = ms) }
}

const READY = { type: 'ready', redis: 'redis://h:1', workers: 2, version: '1.2.3' } as const

describe('WorkerOutput', () => {
  it('says what it works for, and now and then how far it is', () => {
    const { hear, said, at } = output()
    hear(READY)
    hear({ type: 'sweep', strategy: 'mine.ts', tapes: ['A_USD', 'A_USD', 'B_USD'] })
    hear(done(null))
    hear(done('x'))
    at(10_000)
    hear(done(null))
    expect(said).toEqual([
      'papertape 1.2.3 worker: 2 threads, points from redis://h:1\n',
      'mine.ts on A_USD, B_USD\n',
      '1 point done\n',
      '3 points done, 1 with an error\n',
    ])
  })

  it('reports a fault once, and again after a point that went well', () => {
    const { hear, said } = output({ isQuiet: true })
    hear(READY)
    for (const event of [
      { type: 'fault', text: 'no\u001b[2J disk' },
      { type: 'fault', text: 'no\u001b[2J disk' },
    ] as const)
      hear(event)
    hear(done(null))
    hear({ type: 'fault', text: 'no\u001b[2J disk' })
    hear({ type: 'link', state: 'gone' })
    hear({ type: 'link', state: 'back' })
    expect(said).toHaveLength(4)
    expect(said[0]).toMatch(/^! worker: this machine cannot run a point and leaves it to others: no/)
    expect(said.join('')).not.toContain('\u001b')
    expect(said.slice(2)).toEqual(['! worker: Redis does not respond; waiting', '! worker: Redis responds again'])
  })

  it('draws its line again on a terminal, and takes it away for others', () => {
    const { hear, said, at } = output({ isTerminal: true })
    hear(done(null))
    at(200)
    hear(done(null))
    hear({ type: 'link', state: 'gone' })
    expect(said).toEqual([
      '\r\u001b[K1 point done',
      '\r\u001b[K2 points done',
      '\r\u001b[K',
      '! worker: Redis does not respond; waiting',
    ])
  })

  it('is a line of JSON an event', () => {
    expect(JSON.parse(eventJson(READY))).toEqual(READY)
    expect(eventJson(done('x'))).toBe('{"type":"done","key":"k","error":"x"}\n')
  })
})
