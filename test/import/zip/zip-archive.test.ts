import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/domain/errors.ts'
import { isZip, openZip } from '../../../src/import/zip/zip-archive.ts'
import { STRIDE } from '../../property/property.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { zipOf, type ZippedFile } from '../rig/zip-files.ts'

const { folder, write } = temporaryFiles()

const LINES = Array.from(
  { length: 40_000 },
  (_, row) => `${1_723_161_256_000 + row * 37},${61_000 + ((row * 7919) % 997)}.5,0.${row}\n`,
).join('')

/** Every file of an archive as `name: text`, or the message of the error without the folder. */
async function contentOf(file: string): Promise<readonly string[] | string> {
  try {
    const archive = await openZip(file)
    try {
      const all: string[] = []
      for (const { name, size, bytes } of archive.entries) {
        const chunks: Buffer[] = []
        for await (const chunk of bytes()) {
          expect(chunk.length).toBeLessThanOrEqual(262_144)
          chunks.push(Buffer.from(chunk))
        }
        const content = Buffer.concat(chunks)
        expect(content.length).toBe(size)
        all.push(`${name}: ${content.toString()}`)
      }
      return all
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.message.replace(`${folder}/`, '')
  }
}

const content = (files: readonly ZippedFile[], end = {}): Promise<readonly string[] | string> =>
  contentOf(write(zipOf(files, end).bytes, 'a.zip'))

describe('a zip archive', () => {
  it.each<[string, readonly ZippedFile[]]>([
    ['deflated', [{ name: 'a.csv', data: LINES }]],
    ['stored', [{ name: 'a.csv', data: LINES, method: 0 }]],
    ['deflated, sizes behind the data', [{ name: 'a.csv', data: LINES, hasDescriptor: true }]],
    ['stored, sizes behind the data', [{ name: 'a.csv', data: LINES, method: 0, hasDescriptor: true }]],
    [
      'of the longer form',
      [
        { name: 'a.csv', data: LINES, isLong: true },
        { name: 'b.csv', data: 'b', isLong: true },
      ],
    ],
    [
      'empty files',
      [
        { name: 'a.csv', data: '' },
        { name: 'b.csv', data: '', method: 0 },
      ],
    ],
    [
      'several files',
      [
        { name: 'b/b.csv', data: 'b' },
        { name: 'a.csv', data: 'a', method: 0 },
        { name: 'c.csv', data: 'c'.repeat(99) },
      ],
    ],
    ['names in UTF-8', [{ name: 'caf\u00e9 \u20ac.csv', data: 'a', flags: 0x800 }]],
  ])('gives its files: %s', async (_, files) => {
    expect(await content(files)).toEqual(files.map(({ name, data }) => `${name}: ${String(data)}`))
  })

  it('leaves out directories and what macOS puts there', async () => {
    const files = ['d/', '__MACOSX/._a.csv', '.DS_Store', 'd/.DS_Store', 'd/a.csv', 'd/x.DS_Store'].map((name) => ({
      name,
      data: '',
    }))
    expect(await content(files)).toEqual(['d/a.csv: ', 'd/x.DS_Store: '])
  })

  it('may have a comment', async () => {
    expect(await content([{ name: 'a.csv', data: 'a' }], { comment: 'caf\u00e9' })).toEqual(['a.csv: a'])
  })

  it('gives a file as often as it is asked for, and stops when it is not', async () => {
    const archive = await openZip(write(zipOf([{ name: 'a.csv', data: LINES }]).bytes))
    const [entry] = archive.entries
    for (const stop of [1, 2, 99]) {
      let read = 0
      for await (const chunk of entry?.bytes() ?? []) {
        read += chunk.length
        if (read >= stop * 100_000) break
      }
      expect(read).toBeGreaterThan(stop === 99 ? LINES.length - 1 : 0)
    }
    await archive.close()
    await expect(entry?.bytes().next()).rejects.toThrow(InputError)
  })

  it('shows its own bytes to who hashes them', async () => {
    const { bytes } = zipOf([{ name: 'a.csv', data: LINES, method: 0 }])
    const archive = await openZip(write(bytes))
    const hash = createHash('sha256')
    const seen: number[] = []
    await archive.showTo({
      onBytes: (chunk, position, size) => {
        hash.update(chunk)
        seen.push(position)
        expect(size).toBe(bytes.length)
      },
    })
    await archive.close()
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect([seen.length > 2, seen.at(-1)]).toEqual([true, bytes.length])
  })

  const one = { name: 'a.csv', data: 'abcabcabc' }
  it.each<[string, readonly ZippedFile[], string, object?]>([
    ['no file', [{ name: 'd/' }], 'a.zip: expected a zip archive that holds a file, got none'],
    [
      'encrypted',
      [{ ...one, flags: 1 }],
      'a.zip!a.csv: expected an entry that can be read by all, got an encrypted one',
    ],
    [
      'of another compression',
      [{ ...one, method: 14 }],
      'a.zip!a.csv: expected an entry that is stored or deflated, got compression method 14',
    ],
    [
      'another checksum',
      [{ ...one, reported: { checksum: 7 } }],
      'a.zip!a.csv: expected data of the checksum 00000007, got 462d4818: the archive is damaged',
    ],
    [
      'more data than said',
      [{ ...one, reported: { size: 8 } }],
      'a.zip!a.csv: expected 8 bytes as its archive says, got more',
    ],
    [
      'less data than said',
      [{ ...one, reported: { size: 10 } }],
      'a.zip!a.csv: expected 10 bytes as its archive says, got 9',
    ],
    [
      'packed data cut off',
      [{ ...one, reported: { packed: 4 } }],
      'a.zip!a.csv: expected complete compressed data, got some that were cut off',
    ],
    [
      'more behind the packed data',
      [{ ...one, surplus: Buffer.alloc(3) }],
      'a.zip!a.csv: expected compressed data up to their end, got 3 bytes behind them',
    ],
    [
      'stored sizes that differ',
      [{ ...one, method: 0, reported: { size: 8 } }],
      'a.zip: expected a sound zip archive, got one that is damaged or cut off (compressed/uncompressed size mismatch for stored file: 9 != 8)',
    ],
    [
      'data behind the end',
      [{ ...one, reported: { packed: 999 } }],
      'a.zip!a.csv: expected a sound zip archive, got one that is damaged or cut off (file data overflows file bounds: 35 + 999 > 115)',
    ],
    ['a name twice', [one, one], 'a.zip!a.csv: expected each name once in an archive, got it again'],
    [
      'one entry for two',
      [one, { ...one, name: 'b.csv', reported: { start: 0 } }],
      'a.zip!b.csv: expected the same entry in the directory of the archive and in front of its data, got two',
    ],
    [
      'one entry within another',
      [
        { ...one, method: 0, data: zipOf([{ name: 'b.csv' }]).bytes },
        { name: 'b.csv', reported: { start: 35 } },
      ],
      'a.zip!b.csv: expected entries that lie apart, got one within another',
    ],
    [
      'entries that are not counted',
      [one, { name: 'b.csv' }],
      'a.zip: expected a sound zip archive, got one whose directory ends elsewhere than it says',
      { count: 1 },
    ],
    [
      'entries that are not there',
      [one],
      'a.zip: expected a sound zip archive, got one that is damaged or cut off (a place behind the end of the file)',
      { count: 2 },
    ],
    [
      'too many entries',
      [{ ...one, isLong: true }],
      'a.zip: expected at most 100000 entries in a zip archive, got 100001',
      { count: 100_001 },
    ],
    [
      'a bomb',
      [{ ...one, isLong: true, reported: { size: 2 ** 31 } }],
      'a.zip!a.csv: expected data of at most 250 times their packed size, got 7 bytes that unpack to 2147483648',
    ],
    [
      'too much',
      [{ ...one, isLong: true, reported: { size: 2 ** 41 } }],
      'a.zip: expected at most 1099511627776 bytes in a zip archive, got more',
    ],
    [
      'a path out of the archive',
      [{ ...one, name: '../a.csv' }],
      'a.zip: expected a sound zip archive, got one that is damaged or cut off (invalid relative path: ../a.csv)',
    ],
    [
      'a name that is no line',
      [{ ...one, name: 'a\nb', method: 14, flags: 0x800 }],
      String.raw`a.zip!a\nb: expected an entry that is stored or deflated, got compression method 14`,
    ],
  ])('is refused: %s', async (_, files, message, end = {}) => {
    expect(await content(files, end)).toBe(message)
  })

  it('is refused where it is something else', async () => {
    mkdirSync(join(folder, 'd'))
    expect(await contentOf(write('id,time\n', 'b.zip'))).toBe('b.zip: expected a zip archive, got another file')
    expect(await contentOf(write('', 'b.zip'))).toBe('b.zip: expected a zip archive, got another file')
    expect(await contentOf(join(folder, 'd'))).toBe('d: expected a file, got a directory')
    expect(await contentOf(join(folder, 'none.zip'))).toBe('none.zip: no such file')
    expect(await contentOf('/dev/null')).toBe(
      '/dev/null: expected a file that can be read twice, got a pipe or a device',
    )
    expect([isZip(Buffer.from('PK\u0003\u0004...')), isZip(Buffer.from('PK'))]).toEqual([true, false])
  })
})

const DATA = LINES.slice(0, 30_000)
const SOUND = zipOf(
  [
    { name: 'a.csv', data: DATA },
    { name: 'b.csv', data: 'b'.repeat(300), method: 0 },
    { name: 'd/' },
    { name: 'c.csv', data: 'c', hasDescriptor: true },
  ],
  { comment: 'by hand' },
)
const LONG = zipOf([
  { name: 'a.csv', data: 'a'.repeat(99), isLong: true },
  { name: 'b.csv', data: 'b', isLong: true },
])

describe('a zip archive that is damaged', () => {
  it('is refused wherever it is cut off', async () => {
    const { bytes } = SOUND
    for (let cut = 0; cut < 200; cut += 1) {
      const length = Math.floor((cut * bytes.length) / 200)
      expect(await contentOf(write(bytes.subarray(0, length), 'cut.zip'))).toMatch(
        /^cut\.zip: expected a (sound )?zip archive, got /,
      )
    }
  })

  it.each([
    ['', SOUND],
    [' of the longer form', LONG],
  ])(
    'is read right or refused whichever byte of its directory%s is another',
    async (_, { bytes, directory }) => {
      const right = await contentOf(write(bytes, 'right.zip'))
      expect(Array.isArray(right)).toBe(true)
      let refused = 0
      for (let at = directory; at < bytes.length; at += STRIDE) {
        for (const flip of [0x01, 0x08, 0x80, 0xff]) {
          const damaged = Buffer.from(bytes)
          damaged[at] = (damaged[at] ?? 0) ^ flip
          const read = await contentOf(write(damaged, 'flipped.zip'))
          if (typeof read === 'string') refused += 1
          else expect([at, flip, read]).toEqual([at, flip, right])
        }
      }
      expect(refused).toBeGreaterThan((bytes.length - directory) / STRIDE)
    },
    60_000,
  )

  it('is read right or refused whichever byte in front of its directory is another', async () => {
    const { bytes, directory } = SOUND
    const right = await contentOf(write(bytes, 'right.zip'))
    let refused = 0
    let tried = 0
    for (let at = 0; at < directory; at += STRIDE + Math.floor(at / 400)) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
      const read = await contentOf(write(damaged, 'flipped.zip'))
      tried += 1
      if (typeof read === 'string') refused += 1
      else expect([at, read]).toEqual([at, right])
    }
    expect(refused).toBeGreaterThan(tried / 2)
  })
})

const RECORDED = '/work/shared/data/candles'
const archives = existsSync(RECORDED) ? readdirSync(RECORDED).filter((name) => name.endsWith('.zip')) : []

describe.skipIf(archives.length === 0)('recorded archives', () => {
  it.each(archives)('%s holds one file of rows', async (name) => {
    const file = join(RECORDED, name)
    expect(isZip(readFileSync(file))).toBe(true)
    const read = await contentOf(file)
    expect(read).toHaveLength(1)
    // Milliseconds of the day and five figures, as LEAN writes them.
    expect(read[0]).toMatch(/^20161007_btcusd_(second|minute)_trade\.csv: (\d+(,[\d.e+-]+){5}\r?\n?)+$/)
  })
})
