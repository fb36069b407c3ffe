/**
 * What travels to another machine, and what is refused of what came from one.
 */
import { describe, expect, it } from 'vitest'
import {
  type JobBundle,
  jobBundleText,
  readJobBundle,
  travellingCode,
  travellingPaths,
} from '../../../../src/run/sweep/machines/job-bundle.ts'
import { checkedRedisUrl, shownUrl } from '../../../../src/run/sweep/redis-url.ts'

const SHA = 'a'.repeat(64)

const bundleWith = (more: object): JobBundle =>
  ({
    identity: SHA,
    settings: { strategy: 'mine.ts', liquidity: 'tape', params: {} },
    turnLimit: 60,
    tapes: [{ inspected: {}, sha256: SHA }],
    strategy: null,
    liquidity: null,
    strategySha256: SHA,
    liquiditySha256: null,
    ...more,
  }) as unknown as JobBundle

const withPath = (path: string): string =>
  JSON.stringify(bundleWith({ strategy: { entry: 'mine.ts', files: [{ path, sha256: SHA }], packages: [] } }))

describe('paths of files that travel', () => {
  it.each`
    paths                                     | expected                               | why
    ${['/a/b/x.ts']}                          | ${['x.ts']}                            | ${'one file needs no folder'}
    ${['/a/b/x.ts', '/a/c/d/y.ts']}           | ${['b/x.ts', 'c/d/y.ts']}              | ${'they lie to each other as before'}
    ${['/a/b/x.ts', '/a/b/c/y.ts']}           | ${['x.ts', 'c/y.ts']}                  | ${'a folder may hold the other'}
    ${['/a/bc/x.ts', '/a/b/y.ts', '/z/q.ts']} | ${['a/bc/x.ts', 'a/b/y.ts', 'z/q.ts']} | ${'a name that begins like another is another'}
  `('$why', ({ paths, expected }) => {
    const travelling = travellingPaths('mine.ts', paths)
    expect(paths.map((path: string) => travelling.get(path))).toEqual(expected)
  })

  it('a file of a package does not travel', () => {
    expect(() => travellingPaths('mine.ts', ['/a/x.ts', '/a/node_modules/p/y.ts'])).toThrow(
      /mine\.ts: imports '\/a\/node_modules\/p\/y\.ts' from a package/,
    )
    expect(travellingCode('sma-cross', undefined)).toBeNull()
  })
})

describe('a bundle', () => {
  it('is read as it was written', () => {
    const bundle = bundleWith({})
    expect(readJobBundle(jobBundleText(bundle))).toEqual(bundle)
  })

  it.each([
    '../mine.ts',
    '/etc/cron.d/mine',
    'a/../../b.ts',
    'C:/mine.ts',
    'a\\b.ts',
    '',
    './x.ts',
    'a//b.ts',
    'node_modules/p/x.js',
  ])('is refused with the path %j', (path) => {
    expect(() => readJobBundle(withPath(path))).toThrow(/cannot read/)
  })

  it.each([
    '',
    'null',
    '{}',
    '[1]',
    JSON.stringify(bundleWith({ identity: 'x' })),
    JSON.stringify(bundleWith({ more: 1 })),
  ])('is refused: %j', (text) => {
    expect(() => readJobBundle(text)).toThrow(/redis: has a sweep that this version of papertape cannot read/)
  })

  it.each([new Date(0), 10n, Number.NaN, undefined, () => 1, [new Map()], { deep: Symbol('x') }])(
    'does not take a parameter that is no plain value: %o',
    (value) => {
      const bundle = bundleWith({ settings: { strategy: 's', liquidity: 'tape', params: { odd: value } } })
      expect(() => jobBundleText(bundle)).toThrow()
    },
  )
})

describe('the URL of a Redis', () => {
  it.each(['redis://127.0.0.1', 'redis://:secret@host:6380/2', 'rediss://user:secret@host'])('%s is one', (url) => {
    expect(shownUrl(checkedRedisUrl(url))).not.toContain('secret')
  })

  it.each([
    '',
    'localhost:6379',
    'http://host',
    'redis://',
    'redis://host/name',
    'redis://host?maxRetriesPerRequest=1',
    'redis://:a#b@host',
    7,
    undefined,
  ])('%j is none', (url) => {
    expect(() => checkedRedisUrl(url)).toThrow(/^redis: expected a URL such as/)
  })
})
