/**
 * Folders that papertape uses where it receives none.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountName, dataDirectory, makeRunDirectory } from '../../../src/store/state/data-directory.ts'
import { temporaryFiles } from '../rig/temporary-files.ts'

const { folder } = temporaryFiles()
const KEY = `pt_abcdefgh_${'k'.repeat(43)}`

describe('the data directory', () => {
  it.each`
    platform    | env                              | expected                                             | why
    ${'linux'}  | ${{}}                            | ${'/home/ann/.local/share/papertape'}                | ${'the default of XDG'}
    ${'linux'}  | ${{ XDG_DATA_HOME: '/data' }}    | ${'/data/papertape'}                                 | ${'the variable of XDG'}
    ${'linux'}  | ${{ XDG_DATA_HOME: 'data' }}     | ${'/home/ann/.local/share/papertape'}                | ${'XDG takes no relative path'}
    ${'linux'}  | ${{ XDG_DATA_HOME: '' }}         | ${'/home/ann/.local/share/papertape'}                | ${'an empty variable is none'}
    ${'darwin'} | ${{ XDG_DATA_HOME: '/data' }}    | ${'/home/ann/Library/Application Support/papertape'} | ${'macOS has a place of its own'}
    ${'win32'}  | ${{ LOCALAPPDATA: 'C:\\Local' }} | ${'C:\\Local\\papertape'}                            | ${'the variable of Windows'}
    ${'win32'}  | ${{}}                            | ${'\\home\\ann\\AppData\\Local\\papertape'}          | ${'without its variable'}
  `('$platform: $why', ({ platform, env, expected }) =>
    expect(dataDirectory({ platform, env, home: '/home/ann' })).toBe(expected),
  )
})

describe('the name of an account', () => {
  it('is another for another key and another server, and the same with a slash behind the address', () => {
    const name = accountName('http://127.0.0.1:8080/v1', KEY)
    expect(name).toMatch(/^127\.0\.0\.1_8080-[0-9a-f]{16}$/)
    expect(accountName('http://127.0.0.1:8080/v1/', KEY)).toBe(name)
    expect(accountName('http://127.0.0.1:8080/v2', KEY)).not.toBe(name)
    expect(accountName('http://127.0.0.1:8080/v1', `${KEY}2`)).not.toBe(name)
  })

  it('shows no part of the key', () => expect(accountName('https://x.example', KEY)).not.toMatch(/abcdefgh|kkk|pt_/))
})

describe('a new run directory', () => {
  const TIME = Date.UTC(2026, 10, 22, 12, 34, 56, 789)

  it('is named by the time and the strategy, and is never one that is there', () => {
    const names = [1, 2, 3].map(() => makeRunDirectory('out', folder, 'grid', TIME))
    expect(names).toEqual(
      ['grid', 'grid-2', 'grid-3'].map((name) => join(folder, 'runs', `2026-11-22T12-34-56Z-${name}`)),
    )
    expect(readdirSync(join(folder, 'runs'))).toHaveLength(3)
  })

  it('lies in its folder, whatever the strategy is called', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('..', '../../x', '/etc', 'C:\\x', 'a\0b', 'x'.repeat(500))),
        (strategy) => {
          const path = makeRunDirectory('out', folder, strategy, TIME)
          expect(readdirSync(join(folder, 'runs'))).toContain(path.slice(join(folder, 'runs').length + 1))
        },
      ),
      { numRuns: 50 },
    ))

  it('is refused by the setting of its folder', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(() => makeRunDirectory('--state', file, 'grid', TIME)).toThrow(/^--state: cannot make a run directory in/)
  })
})
