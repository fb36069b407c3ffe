import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { setting } from '../../src/domain/setting-name.ts'
import { makeDirectory } from '../../src/store/make-directory.ts'
import { LiveRunDirectory } from '../../src/store/runs/live-run-directory.ts'
import { LineReader } from '../../src/store/runs/line-reader.ts'
import { makeRunDirectory } from '../../src/store/state/data-directory.ts'
import { AccountLock } from '../../src/store/state/live/account-lock.ts'

/** Nothing can be made there, by root neither; a recursive mkdir of Node never ends in it. */
const NOWHERE = '/proc/papertape/deeper'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'papertape-directory-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('makeDirectory', () => {
  it('makes what is missing, reports it, and is content with what is there', () => {
    const [outer, inner] = [join(folder, 'a'), join(folder, 'a', 'b')]
    expect(makeDirectory(inner, 0o700)).toEqual([outer, inner])
    expect([outer, inner].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
    expect(makeDirectory(inner)).toEqual([])
  })

  it('names the file that stands in the way', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'a', 'b')]) {
      expect(() => makeDirectory(path)).toThrow(`'${file}' is not a directory`)
    }
  })
})

describe('making a directory', () => {
  it.skipIf(!existsSync('/proc/self')).each`
    who                         | make
    ${'the lock of an account'} | ${() => AccountLock.take(NOWHERE, { pid: 1, since: 0 })}
    ${'a run that is kept'}     | ${() => new LiveRunDirectory(setting('out'), NOWHERE)}
    ${'a new run'}              | ${() => makeRunDirectory(setting('out'), NOWHERE, 'grid', 0)}
  `('$who: refuses a place where none can be made, and does not hang', ({ make }: { make: () => unknown }) => {
    expect(make).toThrow(InputError)
  })
})

it('a reader of lines says of a directory that it is one', () => {
  expect(() => new LineReader(folder)).toThrow('is a directory, not a file')
})
