/**
 * A lock that is made of directories: one has it at a time, whichever process is killed, at whatever moment.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FolderLock, type HeldLock } from '../../../src/store/locks/folder-lock.ts'
import { ownMark, type ProcessMark } from '../../../src/store/locks/process-mark.ts'
import { killedBefore } from './rig/killed-before.ts'

/** What is built: a program of its own needs no compiler. */
const BUILT = new URL('../../../dist/store/locks/folder-lock.js', import.meta.url).href

let folder = ''
let place = ''
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-lock-'))
  place = join(folder, 'place')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const make = (): void => {
  mkdirSync(place, { recursive: true })
}

const take = (endedThread?: number): FolderLock | HeldLock => FolderLock.take(place, { make, waitMs: 0, endedThread })

function taken(): FolderLock {
  const lock = take()
  if (!(lock instanceof FolderLock)) throw new Error(`held by ${JSON.stringify(lock)}`)
  return lock
}

/** A lock of somebody else, as it stands in the folder. */
function heldBy(mark: Partial<ProcessMark>, name = 'lock', token = 'a'): void {
  mkdirSync(join(place, name), { recursive: true })
  writeFileSync(join(place, name, 'holder'), `${token}\n${JSON.stringify({ ...ownMark(), ...mark })}\n`)
}

const program = (text: string): string => `
  import { mkdirSync, writeFileSync, rmSync, existsSync, readFileSync } from 'node:fs'
  import { FolderLock } from ${JSON.stringify(BUILT)}
  const [place, ...args] = process.argv.slice(1)
  const take = (folder = place) => FolderLock.take(folder, { make: () => mkdirSync(folder, { recursive: true }), waitMs: 0 })
  ${text}`

const args = (text: string, ...more: string[]): string[] => ['--input-type=module', '-e', program(text), place, ...more]

describe('a lock on a folder', () => {
  it('is had by one at a time, and leaves nothing', () => {
    const lock = taken()
    expect(take()).toEqual({ holder: ownMark(), isSeen: true })
    lock.release()
    expect(existsSync(place)).toBe(false)
    taken().release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves what else is in the folder', () => {
    make()
    writeFileSync(join(place, 'mine'), '')
    taken().release()
    expect(readdirSync(place)).toEqual(['mine'])
  })

  it.each<readonly [string, Partial<ProcessMark>]>([
    ['whose process is gone', { pid: 2 ** 22 + 1 }],
    ['whose number another process has now', { pid: process.ppid, start: '1' }],
    ['whose number this process has now', { start: '1' }],
    ['who was there before the machine was started anew', { boot: 'before' }],
    ['who was there before, in a container of the time', { boot: 'before', space: 'pid:[1]' }],
  ])('is taken from one %s', (_, mark) => {
    heldBy(mark)
    taken().release()
    expect(existsSync(place)).toBe(false)
  })

  it.each<readonly [string, Partial<ProcessMark>, boolean]>([
    ['a process that is there', { pid: process.ppid, start: null }, true],
    ['another thread of this process', { thread: 77 }, true],
    ['a process of another container', { space: 'pid:[1]' }, false],
    ['a process of another machine', { boot: 'elsewhere', host: 'elsewhere' }, false],
  ])('is not taken from %s', (_, mark, isSeen) => {
    heldBy(mark)
    expect(take()).toEqual({ holder: { ...ownMark(), ...mark }, isSeen })
    expect(readdirSync(place)).toEqual(['lock'])
  })

  it('is not taken from one whose mark cannot be read', () => {
    mkdirSync(join(place, 'lock'), { recursive: true })
    writeFileSync(join(place, 'lock', 'holder'), '')
    expect(take()).toEqual({ holder: undefined, isSeen: false })
  })

  it('is followed from one dead to the next, to the first who is there', () => {
    heldBy({ start: '1' }, 'lock', 'a')
    heldBy({ start: '2' }, 'after-a', 'b')
    heldBy({ pid: process.ppid, start: null }, 'after-b', 'c')
    expect(take()).toMatchObject({ holder: { pid: process.ppid }, isSeen: true })
    heldBy({ start: '3' }, 'after-b', 'c')
    heldBy({}, 'after-x', 'y')
    const lock = taken()
    expect(readdirSync(place).sort()).toEqual(['after-a', 'after-b', 'after-c', 'lock'])
    lock.release()
    expect(existsSync(place)).toBe(false)
  })

  it('is that of a thread, which may end before its process does', async () => {
    const worker = new Worker(
      program('take(); setInterval(() => {}, 1000)').replace('process.argv.slice(1)', `[${JSON.stringify(place)}]`),
      {
        eval: true,
      },
    )
    await vi.waitUntil(() => existsSync(join(place, 'lock')), 120_000)
    const thread = worker.threadId
    await worker.terminate()
    expect(take()).toMatchObject({ holder: { thread, pid: process.pid }, isSeen: true })
    const lock = take(thread)
    expect(lock).toBeInstanceOf(FolderLock)
    if (lock instanceof FolderLock) lock.release()
    expect(existsSync(place)).toBe(false)
  })
})

describe('a lock whose holder is killed', () => {
  const turn = (step: number): NodeJS.Signals | null =>
    spawnSync(process.execPath, [killedBefore(step), ...args('take().release()')], { stdio: 'inherit' }).signal

  it('before any step is had by the next, and nothing is left', () => {
    let step = 1
    for (; turn(step) === 'SIGKILL'; step += 1) {
      // Of two after each other who were killed the second has found what the first left.
      turn(((step * 7) % 15) + 1)
      taken().release()
      expect(readdirSync(folder), `step ${step}`).toEqual([])
    }
    expect(step).toBeGreaterThan(10)
  })

  it('while others come and go, is never had by two', async () => {
    const loop = `
      const critical = args[0]
      for (let round = 0; round < 150; round += 1) {
        const lock = take()
        if (!(lock instanceof FolderLock)) continue
        if (existsSync(critical) && readFileSync(critical, 'utf8') !== 'killed') process.exit(3)
        writeFileSync(critical, 'here')
        if ((round + process.pid) % 47 === 46) {
          writeFileSync(critical, 'killed')
          process.kill(process.pid, 'SIGKILL')
        }
        rmSync(critical)
        lock.release()
      }`
    const critical = join(folder, 'critical')
    const endOf = (): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, args(loop, critical), { stdio: 'inherit' })
        children.push(child)
        child.on('exit', resolve)
      })
    const inTurn = async (): Promise<(number | null)[]> => [await endOf(), await endOf(), await endOf()]
    const codes = (await Promise.all([inTurn(), inTurn(), inTurn()])).flat()
    expect(codes.filter((code) => code !== 0 && code !== null)).toEqual([])
    taken().release()
    expect(existsSync(place)).toBe(false)
  })

  it('or that two ask for at the same moment, is had by exactly one', async () => {
    const rounds = 100
    const asking = `
      for (let round = 0; round < ${rounds}; round += 1) {
        const at = place + round
        while (!existsSync(at + '.go'));
        const lock = take(at)
        process.stdout.write(lock instanceof FolderLock ? 'won\\n' : 'lost\\n')
        while (!existsSync(at + '.end'));
        if (lock instanceof FolderLock) lock.release()
      }`
    const answers = [1, 2].map(() => {
      const child = spawn(process.execPath, args(asking), { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      return createInterface(child.stdout)[Symbol.asyncIterator]()
    })
    for (let round = 0; round < rounds; round += 1) {
      writeFileSync(`${place}${round}.go`, '')
      const words = await Promise.all(answers.map(async (answer) => (await answer.next()).value as string))
      expect(words.sort()).toEqual(['lost', 'won'])
      writeFileSync(`${place}${round}.end`, '')
    }
  })
})

it('is known by what it wrote', () => {
  const lock = taken()
  const [token, mark] = readFileSync(join(place, 'lock', 'holder'), 'utf8').split('\n')
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.parse(mark ?? '')).toEqual(ownMark())
  lock.release()
})
