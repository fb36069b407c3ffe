/**
 * The lock of a key, whatever state directory a session has.
 */
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { keyLockDirectories, takeKeyLock } from '../../../../src/store/state/live/key-lock.ts'
import { child } from '../../rig/child.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { folder } = temporaryFiles()
const HERE = { pid: process.pid, since: 5 }
const URL = 'http://127.0.0.1:8080/v1'
const KEY = `pt_abcdefgh_${'k'.repeat(43)}`
const IN_USE = `PAPERTAPE_API_KEY: process ${process.pid} is trading with this key from another state directory`

let made = 0
const directories = (url = URL, key = KEY, name = `place-${made}`): readonly string[] =>
  keyLockDirectories({ dataDirectory: join(folder, name, 'data'), temporary: join(folder, name), uid: 7 }, url, key)
const fresh = (): readonly string[] => {
  made += 1
  mkdirSync(join(folder, `place-${made}`))
  return directories()
}

/** Takes it, and keeps it until it is killed. */
const TAKES = `
  const { takeKeyLock } = await import('./dist/store/state/live/key-lock.js')
  const lock = takeKeyLock(process.argv.slice(1), { pid: process.pid, since: 7 })
  console.log(lock === undefined ? 'refused' : 'taken')
  setInterval(() => lock, 1000)
`

it('is one of a key and a service, under every name of this machine', () => {
  made = 0
  expect(directories('http://localhost:8080/v1/')).toEqual(directories())
  expect(directories('http://[::1]:8080')).toEqual(directories())
  expect(directories('http://127.0.0.1:8081/v1')).not.toEqual(directories())
  expect(directories('http://localhost.example:8080/v1')).not.toEqual(directories())
  expect(directories(URL, `${KEY}2`)).not.toEqual(directories())
  expect(directories().join()).not.toMatch(/abcdefgh|kkk|pt_/)
})

it.each([0, 1])('is refused by the place %i alone, and free again when it is given back', (index) => {
  const places = fresh()
  const lock = takeKeyLock([places[index] ?? ''], HERE)
  expect(() => takeKeyLock(places, HERE)).toThrow(IN_USE)
  lock?.release()
  const again = takeKeyLock(places, HERE)
  expect(again).toBeDefined()
  again?.release()
})

it('of a process that was killed is free', async () => {
  const places = fresh()
  const holder = child(TAKES, ...places)
  try {
    expect(await holder.line()).toBe('taken')
    expect(() => takeKeyLock(places, HERE)).toThrow(`process ${holder.process.pid} is trading with this key`)
  } finally {
    await holder.kill()
  }
  const lock = takeKeyLock(places, HERE)
  expect(lock).toBeDefined()
  lock?.release()
})

it('does without a place that cannot be written to, and is none without any', () => {
  const [data = '', temporary = ''] = fresh()
  writeFileSync(join(folder, `place-${made}`, 'data'), 'a file in the way')
  const lock = takeKeyLock([data, temporary], HERE)
  expect(() => takeKeyLock([temporary], HERE)).toThrow(IN_USE)
  lock?.release()
  expect(takeKeyLock([data], HERE)).toBeUndefined()
})

it.skipIf(process.getuid?.() !== 0)('writes nothing into a directory of somebody else', () => {
  const [, temporary = ''] = fresh()
  mkdirSync(dirname(temporary))
  chownSync(dirname(temporary), 12_345, 12_345)
  chmodSync(dirname(temporary), 0o777)
  expect(takeKeyLock([temporary], HERE)).toBeUndefined()
  expect(readdirSync(dirname(temporary))).toEqual([])
})
