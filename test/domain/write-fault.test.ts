/**
 * Errors of the file system are distinguished from those of sockets and programs, which have system calls too.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { isFileFault, writeFault } from '../../src/domain/write-fault.ts'

function thrown(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}

it('takes a missing file and a full disk for errors of the file system', () => {
  expect(isFileFault(thrown(() => readFileSync('/no/such/file')))).toBe(true)
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  expect(isFileFault(full)).toBe(true)
  expect(writeFault('tape.csv', 'cannot be written', full).message).toBe(
    'tape.csv: cannot be written (ENOSPC: no space left on device, write): free some disk space, or choose another place',
  )
})

it.each(['EFBIG', 'EIO', 'ESTALE', 'EDQUOT'])(
  'takes %s of an open file, which has no path, for one and says what to do',
  (code) => {
    const error = Object.assign(new Error(`${code}: write`), { code, syscall: 'write' })
    expect(writeFault('tape.csv', 'cannot be written', error).message).toMatch(/\): .+, or choose another place$/)
  },
)

it('takes a refused or reset connection and a missing program for none', async () => {
  const socket = connect({ host: '127.0.0.1', port: 1 })
  const [refused] = (await once(socket, 'error').catch((error: unknown) => [error])) as unknown[]
  expect(refused).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' })
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  const of = { code: 'ENOENT', syscall: 'spawn program', path: 'program' }
  const missing = Object.assign(new Error('spawn program ENOENT'), of)
  expect([refused, reset, missing].map(isFileFault)).toEqual([false, false, false])
})
