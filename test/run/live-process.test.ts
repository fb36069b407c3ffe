/**
 * A process in real time without a service: what ends it, whose an error is, and what it writes when a file is lost.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/domain/errors.ts'
import { LiveProcess } from '../../src/run/live-process.ts'
import { FakeClocks } from '../runtime/live/rig/fake-clocks.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const files = temporaryFiles()

function begun(signal?: AbortSignal): { process: LiveProcess<object>; clocks: FakeClocks; warnings: string[] } {
  const warnings: string[] = []
  const clocks = new FakeClocks()
  const warned = { onWarning: (text: string) => void warnings.push(text) }
  return { process: new LiveProcess({ clocks, signal, warned }), clocks, warnings }
}

describe('what is awaited before the end', () => {
  it('is undefined when a signal comes first, which ends what stops at once', async () => {
    const stop = new AbortController()
    const { process } = begun(stop.signal)
    const ended: string[] = []
    process.end.atOnce(() => ended.push('early'))
    const awaited = process.end.before(new Promise(() => undefined))
    stop.abort('no')
    process.end.atOnce(() => ended.push('late'))
    expect(ended).toEqual(['early', 'late'])
    await expect(awaited).resolves.toBeUndefined()
    expect(() => {
      process.end.throwIfOver()
    }).toThrow(expect.objectContaining({ name: 'AbortError' }))
  })

  it('throws an error that comes before there is a session, and no later one', async () => {
    const { process, warnings } = begun()
    const awaited = process.end.before(new Promise(() => undefined))
    process.loop.enter(() => {
      throw new Error('first')
    })
    process.onError(new Error('second'))
    await expect(awaited).rejects.toThrow('first')
    expect(warnings).toEqual([])
  })
})

it('gives errors to its sessions, except for internal ones, which end it with one warning', () => {
  const { process, warnings } = begun()
  const failed: unknown[] = []
  process.adopt({ fail: (error) => void failed.push(error), isEnding: false })
  const own = new Error('of a strategy')
  process.onError(own)
  expect(process.end.isOver).toBe(false)
  process.onError(new InvariantError('first'))
  process.onError(new InvariantError('second'))
  expect(failed).toEqual([own])
  expect(warnings).toEqual(['all sessions end: first'])
  expect(() => {
    process.end.throwFailure()
  }).toThrow('first')
})

it('has nothing take effect that a file has not, until it ends: then the other files are written', () => {
  const { process, warnings } = begun()
  process.adopt({ fail: () => undefined, isEnding: false })
  const directory = join(files.folder, 'run')
  let lost = 0
  const options = { out: directory, dataDirectory: files.folder, markets: [], onFill: () => 0, onLog: () => 0 }
  const written = process.openFiles('bot', { ...options, onLost: () => void (lost += 1) })
  const note = { time: 1, text: 'hello' }
  mkdirSync(join(directory, 'notes.csv'), { recursive: true })
  expect(() => {
    written.onNote(note)
  }).toThrow('notes.csv')
  expect(process.end.isOver).toBe(true)
  written.onNote(note)
  written.onLine('{"type":"end"}')
  expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8')).toBe('{"type":"end"}\n')
  expect(lost).toBe(2)
  expect(warnings).toEqual([expect.stringMatching(/^all sessions end: .*notes\.csv/)])
})

it('calls at once and then every second, until it is stopped or closed', async () => {
  const { process, clocks } = begun()
  const calls: string[] = []
  const stop = process.everySecond(() => calls.push('a'))
  process.everySecond(() => calls.push('b'))
  clocks.pass(1_000)
  stop()
  clocks.pass(1_000)
  process.atClose(() => Promise.resolve(void calls.push('closed')))
  await process.during(() => Promise.resolve())
  clocks.pass(5_000)
  expect(calls).toEqual(['a', 'b', 'a', 'b', 'b', 'closed'])
})

it.each([
  [undefined, 'first'],
  ['life', 'life'],
])('closes everything although two of it fail, and throws the first error: of its life %s', async (fault, expected) => {
  const { process } = begun()
  const closed: string[] = []
  for (const name of ['first', 'second', 'third']) {
    process.atClose(() => {
      closed.push(name)
      return name === 'third' ? Promise.resolve() : Promise.reject(new Error(name))
    })
  }
  const life = async () => await (fault === undefined ? Promise.resolve(1) : Promise.reject(new Error(fault)))
  await expect(process.during(life)).rejects.toThrow(expected)
  expect([closed, process.end.isOver]).toEqual([['first', 'second', 'third'], true])
})

it('keeps received trades until they cannot be written, and then has no complete file for a twin', () => {
  const { process, clocks, warnings } = begun()
  const session = { start: () => undefined, begunAt: 1 }
  const parts = () => ({ feed: undefined, symbols: [], past: [] })
  const flushTo = (name: string): (() => void) =>
    process.startKeeping({ out: join(files.folder, name) }, parts, session)
  expect(flushTo('kept')).not.toThrow()
  mkdirSync(join(files.folder, 'lost', 'received.csv'), { recursive: true })
  expect(flushTo('lost')).toThrow('received.csv: is not complete: it could not be written')
  clocks.pass(2_000)
  expect(warnings).toEqual([expect.stringContaining('no longer kept, so the session has no twin')])
})
