/**
 * `verify` on a run of which one thing was changed: noticed by the seal, and by the repetition where somebody has sealed it again.
 */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { reportPage } from '../../src/run/report-page.ts'
import { backtest, InputError, verify } from '../../src/run.ts'
import { LATER_FILES, RUN_FILES as ALL_FILES, type RunFileName } from '../../src/store/runs/run-file-names.ts'
import { sealedText, sealFaults } from '../../src/store/runs/run-seal.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

/** All but those of a run of more than 20,000 candles, or on a book. */
const RUN_FILES = ALL_FILES.filter((name) => ![...LATER_FILES, 'plot-blocks.csv'].includes(name))

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000

/** Prices that fall and rise, so that what rests is filled. */
const TAPE = [
  'time,price,qty',
  ...Array.from(
    { length: 40 },
    (_, row) => `${START + row * 1000},${(100 - Math.abs((row % 8) - 4) / 10).toFixed(2)},2.5`,
  ),
  '',
].join('\n')

/**
 * Orders that take, a round trip among them, one that is filled at rest, one that stays open, and one that is refused;
 * plots and notes.
 */
const STRATEGY = `import { buyLimit, buyMarket, defineStrategy, sellMarket } from 'papertape'
  import { map, take, tap } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: 'busy',
    params: z.object({ symbol: z.string(), qty: z.string().default('0.5') }),
    run: ({ params: { symbol, qty }, trades, plot, note }) => trades(symbol).pipe(take(7), tap(({ createdAt }) => { plot('time', createdAt); note(String(createdAt)) }), map((_, index) => [
      buyMarket(symbol, qty, { tag: 'in' }), sellMarket(symbol, qty), buyLimit(symbol, '99.65', '1'),
      buyLimit(symbol, '9', '1'), buyLimit(symbol, '99', '99999'), buyMarket(symbol, qty), sellMarket(symbol, '0.25')][index])),
  })`

let copies = 0

/** A copy of the run. */
function copyOf(original = 'run'): string {
  copies += 1
  const copy = join(folder, `copy-${copies}`)
  cpSync(join(folder, original), copy, { recursive: true })
  return copy
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Makes the seal fit the files, as somebody would who knows it. */
function resealed(directory: string, report: Record<string, unknown> = reportIn(directory)): void {
  const names = RUN_FILES.filter((name) => name !== 'run.json' && existsSync(join(directory, name)))
  const hashes = Object.fromEntries(names.map((name) => [name, hashOf(join(directory, name))]))
  // In the order in which the run wrote them.
  const written = Object.keys(report.files as object).filter((name) => name in hashes)
  const files = Object.fromEntries(written.map((name) => [name, hashes[name]]))
  writeFileSync(join(directory, 'run.json'), sealedText(unsealed(report), files))
}

const unsealed = (report: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(report).filter(([field]) => field !== 'files' && field !== 'filesDigest'))

const reportIn = (directory: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8'))

beforeAll(async () => {
  const strategy = write(STRATEGY, 'busy.ts')
  const tape = write(TAPE, 'tape.csv')
  write(`from,to,why\n`, 'tape.gaps.csv')
  const options = {
    strategy,
    tapes: { A_USD: { file: tape, pricePrecision: 2, qtyPrecision: 2 } },
    limits: false,
    fees: { takerBps: '7.5' },
    latency: { orderMs: 700 },
    seed: 3,
  }
  const run = await backtest({ ...options, liquidity: 'ideal', out: join(folder, 'run') })
  expect(run.report).toMatchObject({ orders: 6, fills: 5, refusals: { INSUFFICIENT_BALANCE: 1 } })
  const bounded = await backtest({ ...options, liquidity: 'touch', out: join(folder, 'bounded') })
  expect([run.liquidityBounds, bounded.liquidityBounds?.touch?.makerFills]).toEqual([null, 1])
})

const edited = (edit: (text: string) => string) => (path: string) => {
  const text = readFileSync(path, 'utf8')
  const changed = edit(text)
  expect(changed).not.toBe(text)
  writeFileSync(path, changed)
}

/** The lines, of which the second and the last are data in every file. */
const relined = (change: (lines: string[]) => readonly string[]) =>
  edited((text) => `${change(text.trimEnd().split('\n')).join('\n')}\n`)

const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  'a digit changed': edited((text) =>
    text.replace(/(\d)(\D*)$/, (_, digit: string, rest: string) => `${(Number(digit) + 1) % 10}${rest}`),
  ),
  'its first line removed': relined((lines) => lines.slice(1)),
  'its last line removed': relined((lines) => lines.slice(0, -1)),
  'two rows swapped': relined(([first = '', second = '', third = '', ...rest]) => [first, third, second, ...rest]),
  'a row twice': relined((lines) => [...lines, lines.at(-1) ?? '']),
  'a row appended': (path) => {
    appendFileSync(path, '1,1,1\n')
  },
  'a byte appended': (path) => {
    appendFileSync(path, ' ')
  },
  'an empty line at its end': (path) => {
    appendFileSync(path, '\n')
  },
  'its last line end removed': edited((text) => text.trimEnd()),
  'line ends of another system': edited((text) => text.replaceAll('\n', '\r\n')),
  'a mark of its encoding': edited((text) => `\ufeff${text}`),
  'cut in the middle': edited((text) => text.slice(0, text.length >> 1)),
  emptied: (path) => {
    writeFileSync(path, '')
  },
  removed: (path) => {
    rmSync(path)
  },
  'replaced by a directory': (path) => {
    rmSync(path)
    mkdirSync(path)
  },
  'replaced by a link to the same text': (path) => {
    renameSync(path, `${path}.moved`)
    symlinkSync(`${path}.moved`, path)
  },
}

const TABLE = RUN_FILES.flatMap((file) => Object.keys(CHANGES).map((change) => [file, change] as const))
/** Without a report that can be read there is no run to speak of. */
const NO_RUN = ['removed', 'replaced by a directory', 'replaced by a link to the same text']

describe('a run as it was written', () => {
  it('verifies, in every file', async () => {
    const copy = copyOf()
    const { digest } = reportIn(copy)
    expect(await verify(copy)).toMatchObject({ digest, difference: undefined, strangers: [] })
  })

  it('can be sealed again to the byte, which this test relies on', () => {
    const copy = copyOf()
    resealed(copy)
    expect(readFileSync(join(copy, 'run.json'), 'utf8')).toBe(readFileSync(join(folder, 'run', 'run.json'), 'utf8'))
  })

  it('has the hash of every other file in its report, and on the second line that of the rest of the report', () => {
    const run = join(folder, 'run')
    const { files, digest } = reportIn(run)
    const names = RUN_FILES.filter((name) => name !== 'run.json')
    expect(files).toEqual(Object.fromEntries(names.map((name) => [name, hashOf(join(run, name))])))
    expect(digest).toBe(`sha256:${hashOf(join(run, 'journal.jsonl'))}`)
    const lines = readFileSync(join(run, 'run.json'), 'utf8').split('\n')
    const rest = lines.toSpliced(1, 1).join('\n')
    expect(lines[1]).toBe(`  "filesDigest": "sha256:${createHash('sha256').update(rest).digest('hex')}",`)
  })

  it('reports what stands beside its files, and verifies', async () => {
    const copy = copyOf()
    writeFileSync(join(copy, 'notes.txt'), 'mine')
    expect(await verify(copy)).toMatchObject({ difference: undefined, strangers: ['notes.txt'] })
  })
})

describe('a file that was changed', () => {
  it.each(TABLE)('%s, %s, was changed after the run', async (file, change) => {
    const copy = copyOf()
    CHANGES[change]?.(join(copy, file))
    if (file === 'run.json' && NO_RUN.includes(change)) {
      await expect(verify(copy)).rejects.toThrow(/run\.json: is not a file|has a journal and no report/)
      return
    }
    const [fault] = sealFaults(copy)
    expect(fault?.name).toBe(file)
    expect(fault?.message).toMatch(/^(was changed after the run|is missing|is no longer a file|has no digest)/)
  })

  const written = RUN_FILES.filter((name) => name !== 'run.json')
  it.each(Object.keys(CHANGES))('each, %s and sealed again, differs from the repeat at a line', async (change) => {
    const copy = copyOf()
    for (const file of written) CHANGES[change]?.(join(copy, file))
    if (!NO_RUN.includes(change)) resealed(copy)
    const { difference = '' } = await verify(copy)
    if (change === 'replaced by a link to the same text') {
      expect(difference.match(/: is no longer a file$/gm)).toHaveLength(written.length)
      return
    }
    const places = written.map((file) => `${join(copy, file)}:\\d+: the repeat differs\n {2}was .*\n {2}is {2}.*`)
    const faults = written.map((file) => `${join(copy, file)}: is (missing|no longer a file)`)
    expect(difference).toMatch(new RegExp(`^${[...(NO_RUN.includes(change) ? faults : []), ...places].join('\n')}$`))
  })

  it('of a long run of an older papertape, which has no candle-blocks.csv, does not differ', async () => {
    const rows = Array.from({ length: 20_001 }, (_, minute) => `${START + minute * 60_000},100,101,99,100,5`)
    write(`time,open,high,low,close,volume\n${rows.join('\n')}\n`, 'long.csv')
    const tapes = { A_USD: join(folder, 'long.csv') }
    await backtest({ strategy: 'sma-cross', tapes, out: join(folder, 'long') })
    const [older, damaged] = [copyOf('long'), copyOf('long')]
    for (const copy of [older, damaged]) rmSync(join(copy, 'candle-blocks.csv'))
    resealed(older)
    expect(await verify(older)).toMatchObject({ difference: undefined })
    expect((await verify(damaged)).difference).toContain('candle-blocks.csv: is missing')
  })

  it('of a run on a book of an older papertape, which has no depth.csv, does not differ', async () => {
    write(`time,side,price,qty,snapshot\n${START},bid,99,5,true\n${START + 1},ask,101,5,false\n`, 'book.csv')
    await backtest({ strategy: 'sma-cross', books: { A_USD: join(folder, 'book.csv') }, out: join(folder, 'booked') })
    const [older, damaged] = [copyOf('booked'), copyOf('booked')]
    for (const copy of [older, damaged]) rmSync(join(copy, 'depth.csv'))
    resealed(older)
    expect(await verify(older)).toMatchObject({ difference: undefined })
    expect((await verify(damaged)).difference).toContain('depth.csv: is missing')
  })

  it('names the line and shows what it was and is', async () => {
    const copy = copyOf()
    const path = join(copy, 'fills.csv')
    edited((text) => text.replace(',BUY,', ',SELL,'))(path)
    const { difference } = await verify(copy)
    const [fault, place, was, is, ...more] = difference?.split('\n') ?? []
    expect(fault).toMatch(/fills\.csv: was changed after the run: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/)
    expect(place).toBe(`${path}:2: the repeat differs`)
    expect(was).toMatch(/^ {2}was \d+,\d+,A_USD,SELL,/)
    expect(is).toBe(was?.replace(',SELL,', ',BUY,').replace(/^ {2}was /, '  is  '))
    expect(more).toEqual([])
  })
})

type Path = readonly (string | number)[]

/** Every value of a report that has no more values in it. */
function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.length === 0 ? [path] : entries.flatMap(([key, each]) => leavesOf(each, [...path, key]))
}

function changedAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key !== undefined) {
    const copy = structuredClone(value) as Record<string | number, unknown>
    copy[key] = changedAt(copy[key], rest)
    return copy
  }
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return `${value}1`
  return Array.isArray(value) ? ['more'] : { more: 1 }
}

it('a run from before names in run.json changed is the same run', async () => {
  const copy = copyOf()
  const former = readFileSync(join(copy, 'run.json'), 'utf8')
    .replace('"queueSize":', '"queueClips":')
    .replace('"levelSize":', '"depthClips":')
    .replace('"printFilter": "auto"', '"believe": "auto"')
    .replace('"partlyFilled":', '"shortOrders":')
    .replace('"optimistic":', '"flattering":')
  resealed(copy, JSON.parse(former) as Record<string, unknown>)
  expect(former.match(/queueClips|depthClips|believe|shortOrders|flattering/g)).toHaveLength(5)
  expect(await verify(copy)).toMatchObject({ difference: undefined })
  expect(reportPage({ runs: [copy], db: undefined }).html).toContain('busy')
})

describe('a value of run.json', () => {
  /** Names that the first run was given: another name is the same run. */
  const NAMES = ['version', 'strategy.file', 'tapes.0.file', 'tapes.0.gaps.file']
  const OFTEN = ['strategy', 'audit']

  it('of whichever field, changed and sealed again, differs from the repeat', async () => {
    const reports = { run: reportIn(join(folder, 'run')), bounded: reportIn(join(folder, 'bounded')) }
    const all = leavesOf(reports.bounded).filter(([first]) => first !== 'filesDigest' && first !== 'files')
    // What is compared is the text: one value of each field is enough where the names are not in it.
    const leaves = all.filter(
      (leaf, index) =>
        leaf[0] !== all[index - 1]?.[0] || OFTEN.includes(String(leaf[0])) || NAMES.includes(leaf.join('.')),
    )
    expect(leaves.length).toBeGreaterThan(30)
    const believed: string[] = []
    for (const leaf of leaves) {
      // The bounds are three runs more.
      const original = leaf[0] === 'liquidityBounds' ? 'bounded' : 'run'
      const report = reports[original]
      const copy = copyOf(original)
      resealed(copy, changedAt(report, leaf) as Record<string, unknown>)
      const outcome = await verify(copy).catch((error: unknown) => error)
      const isNoticed = outcome instanceof InputError || (outcome as { difference?: string }).difference !== undefined
      if (!isNoticed) believed.push(leaf.join('.'))
      rmSync(copy, { recursive: true })
    }
    expect(believed).toEqual(NAMES)
  })

  it.each<readonly [string, unknown, RegExp]>([
    ['finalEquity', '1000000', /was {3}"finalEquity": "1000000",\n {2}is {4}"finalEquity": "/],
    ['audit', { ok: false, assets: {} }, /was {5}"ok": false,\n {2}is {6}"assets": \{/],
    ['failure', { message: 'no', time: 1, place: null }, /was {3}"failure": \{\n {2}is {4}"failure": null,/],
    ['digest', `sha256:${'0'.repeat(64)}`, /was {3}"digest": "sha256:0{64}",\n {2}is {4}"digest": "sha256:/],
    ['more', 1, /was {3}"more": 1,?\n {2}is {4}"files": \{/],
  ])('%s of another value, sealed again, is reported with its line', async (field, value, lines) => {
    const copy = copyOf()
    resealed(copy, { ...reportIn(copy), [field]: value })
    const { difference } = await verify(copy)
    expect(difference).toMatch(/run\.json:\d+: the repeat differs\n/)
    expect(difference).toMatch(lines)
  })

  it('that names another hash of a file is reported', async () => {
    const copy = copyOf()
    const report = reportIn(copy)
    const { files } = report
    writeFileSync(
      join(copy, 'run.json'),
      sealedText(unsealed(report), { ...(files as object), 'orders.csv': '0'.repeat(64) }),
    )
    const { difference } = await verify(copy)
    expect(difference).toMatch(/orders\.csv: was changed after the run/)
    expect(difference).toMatch(/run\.json:\d+: the repeat differs\n {2}was {5}"orders\.csv": "0{64}"/)
  })

  it('of a run without a digest: reported, and what differs as well', async () => {
    const copy = copyOf()
    writeFileSync(join(copy, 'run.json'), `${JSON.stringify(unsealed(reportIn(copy)), null, 2)}\n`)
    const { difference } = await verify(copy)
    expect(difference).toMatch(
      /^\S+run\.json: has no digest of the files of the run on its second line: it was changed, or written by an older version of papertape\n/,
    )
  })

  it('that lets no one run it again: the change is reported, and why', async () => {
    const copy = copyOf()
    edited((text) => text.replace('"orderLatencyMs": 700', '"orderLatencyMs": -700'))(join(copy, 'run.json'))
    const { difference, digest } = await verify(copy)
    expect(difference).toMatch(
      /run\.json: was changed after the run.*\nit cannot be run again: .*config\.orderLatencyMs: Too small/,
    )
    expect(digest).toBeUndefined()
  })
})

it('a file that is a pipe is reported, and no one waits for it', async () => {
  const copy = copyOf()
  const name: RunFileName = 'orders.csv'
  rmSync(join(copy, name))
  symlinkSync('/dev/zero', join(copy, name))
  expect((await verify(copy)).difference).toContain(`${join(copy, name)}: is no longer a file`)
})

describe('parameters that the schema makes something else of', () => {
  const changing = (schema: string): string =>
    STRATEGY.replace("qty: z.string().default('0.5')", `qty: z.string().default('0.5'), extra: ${schema}`)

  it.each([
    ['z.string().transform((text) => text.length)', 'four', 'four'],
    ['z.stringbool()', 'yes', 'yes'],
    ["z.string().transform((text) => text + '!')", 'a', 'a'],
    ['z.coerce.number()', '5', 5],
    ['z.codec(z.string(), z.number(), { decode: Number, encode: String })', '7', '7'],
  ])('stand in the report as they can be read again, and the run is verified: %s', async (schema, given, reported) => {
    const strategy = write(changing(schema), `changing-${copies}.ts`)
    const out = join(folder, `changed-${(copies += 1)}`)
    const { report } = await backtest({
      strategy,
      params: { extra: given },
      tapes: { A_USD: join(folder, 'tape.csv') },
      liquidity: 'ideal',
      limits: false,
      out,
    })
    expect(report.failure).toBeNull()
    expect(report.params).toMatchObject({ extra: reported })
    expect((await verify(out)).difference).toBeUndefined()
  })
})
