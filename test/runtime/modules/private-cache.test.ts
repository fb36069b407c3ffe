/**
 * Compiled code is read from a folder of this user's alone, and only as it was put there.
 */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PrivateCache } from '../../../src/runtime/modules/private-cache.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const files = temporaryFiles()
let folders = 0

function filled(): { cache: PrivateCache; folder: string; entry: string } {
  folders += 1
  const folder = join(files.folder, `cache-${folders}`)
  const cache = PrivateCache.open(folder)
  if (cache === undefined) throw new Error('no cache')
  cache.put('key', 'code')
  const [name = ''] = readdirSync(folder)
  return { cache, folder, entry: join(folder, name) }
}

it('gives back what was put there, under its key alone', () => {
  const { cache, folder, entry } = filled()
  expect([cache.get('key')?.toString(), cache.get('other')]).toEqual(['code', undefined])
  expect([statSync(folder).mode & 0o777, statSync(entry).mode & 0o777]).toEqual([0o700, 0o600])
})

describe('is not read', () => {
  it.each`
    spoil                                                                                           | why
    ${(entry: string) => writeFileSync(entry, readFileSync(entry, 'utf8').replace('code', 'edoc'))} | ${'when its content was changed'}
    ${(entry: string) => writeFileSync(entry, readFileSync(entry, 'utf8').slice(0, -1))}            | ${'when it was cut'}
    ${(entry: string) => writeFileSync(entry, '')}                                                  | ${'when it is empty'}
    ${(entry: string) => chmodSync(entry, 0o622)}                                                   | ${'when others may write it'}
    ${(entry: string) => linkSync(entry, `${entry}.too`)}                                           | ${'when it has another name'}
  `('$why', ({ spoil }) => {
    const { cache, entry } = filled()
    spoil(entry)
    expect(cache.get('key')).toBeUndefined()
  })

  it('under the name of another key', () => {
    const { cache, folder, entry } = filled()
    cache.put('other', 'other code')
    const other = readdirSync(folder).find((name) => !entry.endsWith(name)) ?? ''
    writeFileSync(join(folder, other), readFileSync(entry))
    expect([cache.get('other'), cache.get('key')?.toString()]).toEqual([undefined, 'code'])
  })
})

describe('is none', () => {
  it('in a folder that others may look into', () => {
    const { folder } = filled()
    chmodSync(folder, 0o755)
    expect(PrivateCache.open(folder)).toBeUndefined()
  })

  it('behind a link', () => {
    const { folder } = filled()
    symlinkSync(folder, `${folder}-link`)
    expect(PrivateCache.open(`${folder}-link`)).toBeUndefined()
  })

  it('where a file is in the way', () => {
    expect(PrivateCache.open(join(files.write('', 'in-the-way'), 'cache'))).toBeUndefined()
  })
})

it('forgets the older half when it grows', () => {
  const { cache, folder } = filled()
  for (let index = 0; index < 256; index += 1) cache.put(`key ${index}`, 'code')
  expect(readdirSync(folder)).toHaveLength(129)
  mkdirSync(join(folder, 'stays-quiet'))
  expect(() => cache.put('one more', 'code')).not.toThrow()
})
