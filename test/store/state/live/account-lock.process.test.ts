/**
 * The lock of a live account, between processes and after one was killed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AccountLock, lockHolder } from '../../../../src/store/state/live/account-lock.ts'
import { child } from '../../rig/child.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { folder } = temporaryFiles()
let made = 0
const freshPath = (): string => join(folder, `account-${(made += 1)}`)
const HERE = { pid: process.pid, since: 5 }

/** Says whether it got the lock, and keeps it until it is killed. */
const TAKES = `
  const { AccountLock } = await import('./dist/store/state/live/account-lock.js')
  const lock = AccountLock.take(process.argv[1], { pid: process.pid, since: 7 })
  console.log(lock === undefined ? 'refused' : 'taken')
  setInterval(() => lock, 1000)
`

describe('the lock of an account', () => {
  it('is had by one at a time, also within a process', () => {
    const directory = freshPath()
    const lock = AccountLock.take(directory, HERE)
    expect(lock).toBeDefined()
    expect(AccountLock.take(directory, HERE)).toBeUndefined()
    expect(lockHolder(directory)).toEqual(HERE)
    lock?.release()
    lock?.release()
    const again = AccountLock.take(directory, HERE)
    expect(again).toBeDefined()
    again?.release()
  })

  it('is had by one of the processes that want it, and is free when that one was killed', async () => {
    const directory = freshPath()
    mkdirSync(directory)
    const all = Array.from({ length: 4 }, () => child(TAKES, directory))
    try {
      const said = await Promise.all(all.map(async (each) => each.line()))
      expect([...said].sort()).toEqual(['refused', 'refused', 'refused', 'taken'])
      const holder = all[said.indexOf('taken')]
      expect(AccountLock.take(directory, HERE)).toBeUndefined()
      expect(lockHolder(directory)).toEqual({ pid: holder?.process.pid, since: 7 })
      await holder?.kill()
      const lock = AccountLock.take(directory, HERE)
      expect(lock).toBeDefined()
      lock?.release()
    } finally {
      await Promise.all(all.map(async (each) => each.kill()))
    }
  })

  it('can be looked at without being taken', () => {
    const directory = freshPath()
    expect(AccountLock.isTaken(directory)).toBe(false)
    const lock = AccountLock.take(directory, HERE)
    expect(AccountLock.isTaken(directory)).toBe(true)
    expect(AccountLock.take(directory, HERE, 0)).toBeUndefined()
    lock?.release()
    expect(AccountLock.isTaken(directory)).toBe(false)
    expect(lockHolder(directory)).toEqual(HERE)
  })

  it('does not ask who had it when no one has', () => {
    const directory = freshPath()
    mkdirSync(directory)
    writeFileSync(join(directory, 'live.pid'), JSON.stringify({ pid: 1, since: 0 }))
    const lock = AccountLock.take(directory, HERE)
    expect(lock).toBeDefined()
    lock?.release()
  })

  it('is held by no one in particular when its holder cannot be read', () => {
    const directory = freshPath()
    expect(lockHolder(directory)).toBeUndefined()
    mkdirSync(directory)
    writeFileSync(join(directory, 'live.pid'), '{"pid":')
    expect(lockHolder(directory)).toBeUndefined()
  })

  it('is refused by name where it cannot be', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => AccountLock.take(file, HERE)).toThrow(`${file}: cannot be created`)
    const directory = freshPath()
    mkdirSync(join(directory, 'live.lock'), { recursive: true })
    expect(() => AccountLock.take(directory, HERE)).toThrow(`${join(directory, 'live.lock')}: cannot be opened`)
  })
})
