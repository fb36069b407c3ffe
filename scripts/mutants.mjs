/**
 * Asks what the proof of the exchange does not see. `npm run mutants -- [--file PART] [--sample N] [--seed S]` changes
 * src/exchange in one place at a time, each in a copy and a process of its own, and drives it as the tests do: some
 * thousand random commands, then as many as a test plays, then a script of thousands of orders, then damaged snapshots.
 * Anyone who lives is put before the tests of single files.
 *
 * What came of each is kept in .cache/mutants.jsonl, and is not asked again while its file is the same; `--again` asks
 * for all survivors. Prints those that nothing found.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'

const ROOT = new URL('..', import.meta.url).pathname
const FOLDER = join(ROOT, 'src/exchange')
const LOG = join(ROOT, '.cache/mutants.jsonl')
/** From the quickest on: most are found by the first. A bug that never ends is found, too. */
const DRIVES = [
  { order: { seed: 1, commands: 3_000 }, timeoutMs: 60_000 },
  { order: { seed: 1, commands: 0, isDamage: true }, timeoutMs: 60_000 },
  { order: { seed: 1, commands: 40_000 }, timeoutMs: 240_000 },
  { order: { seed: 0, commands: 1, isLong: true }, timeoutMs: 240_000 },
]

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    sample: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
  },
})

/**
 * @typedef {import('../test/exchange/rig/mutations.ts').Mutation & { file: string, source: string, key: string }}
 * Mutant
 */

const { MutantFolder } = await import('../test/exchange/rig/mutant.ts')
const { mutated, mutationsOf } = await import('../test/exchange/rig/mutations.ts')

/** @param {string} text */
const digest = (text) => createHash('sha256').update(text).digest('hex')

/** @returns {Mutant[]} */
function mutants() {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return files.sort().flatMap((file) => {
    if (!file.includes(values.file)) return []
    const source = readFileSync(join(FOLDER, file), 'utf8')
    return mutationsOf(file, source).map((mutation) => {
      const place = `${mutation.start}-${mutation.end}:${mutation.replacement}`
      return { ...mutation, file, source, key: digest(`${digest(source)} ${place}`).slice(0, 16) }
    })
  })
}

/**
 * A sample of the requested size, chosen by the seed alone: a larger sample has the smaller one in it.
 *
 * @param {Mutant[]} all
 */
function sampled(all) {
  const most = Number(values.sample)
  if (most === 0) return all
  /** @param {Mutant} mutant */
  const rank = ({ key }) => digest(`${values.seed} ${key}`)
  return all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, most)
}

/** @returns {Map<string, string | null>} what found each that was asked for before; null for nothing */
function known() {
  if (!existsSync(LOG)) return new Map()
  const lines = readFileSync(LOG, 'utf8').trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map(({ key, found }) => [key, found]))
}

/** @param {InstanceType<typeof MutantFolder>} folder @param {Mutant} mutant */
async function foundBy(folder, mutant) {
  for (const { order, timeoutMs } of DRIVES) {
    try {
      const { found } = await folder.driveChanged(mutant.file, mutated(mutant.source, mutant), order, timeoutMs)
      if (found !== undefined) return found
    } catch {
      return 'it does not come to its end, or not even to its beginning'
    }
  }
  return foundByTests(mutant)
}

/** Runs the tests of single files against it. @param {Mutant} mutant */
function foundByTests(mutant) {
  const place = join(mkdtempSync(join(tmpdir(), 'papertape-mutant-')), 'mutant.json')
  try {
    writeFileSync(place, JSON.stringify({ file: join(FOLDER, mutant.file), source: mutated(mutant.source, mutant) }))
    const flags = [
      'vitest',
      'run',
      '--root',
      '.',
      '--config',
      'test/exchange/rig/mutant-tests.config.ts',
      'test/exchange/',
    ]
    const env = { ...process.env, PAPERTAPE_MUTANT: place }
    const { status, signal, stdout, stderr } = spawnSync('npx', flags, {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      timeout: 300_000,
    })
    if (status === 0) return null
    const failed = signal === null ? /FAIL\s+(.*)/.exec(stripVTControlCharacters(stderr))?.[1] : 'no end'
    if (failed === undefined) throw new Error(`the tests did not run: ${stdout}${stderr}`)
    return `tests: ${failed}`
  } finally {
    rmSync(dirname(place), { recursive: true })
  }
}

mkdirSync(join(ROOT, '.cache'), { recursive: true })
const asked = sampled(mutants())
const results = known()
const folder = new MutantFolder()
let done = 0
try {
  for (const mutant of asked) {
    const before = results.get(mutant.key)
    if (before === undefined || (before === null && values.again)) {
      const found = await foundBy(folder, mutant)
      results.set(mutant.key, found)
      const { key, file, line, words } = mutant
      appendFileSync(LOG, `${JSON.stringify({ key, file, line, words, found })}\n`)
    }
    done += 1
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${done} of ${asked.length}`)
  }
} finally {
  folder.remove()
}
const survivors = asked.filter(({ key }) => results.get(key) === null)
for (const { file, line, words } of survivors) console.log(`${file}:${line}  ${words}`)
console.log(`${asked.length} mutants, ${survivors.length} were not found`)
