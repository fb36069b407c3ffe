/**
 * papertape beside its rivals, on the same files in the same run: processor time and peak memory of whole processes.
 *
 * Not among the benchmarks that `npm run bench` runs, since it installs the rivals, into `.cache/rivals`, and takes
 * half an hour. The table replaces the one in bench/README.md. `npm run bench:rivals`, or `npm run bench:rivals --
 * candles` for one piece of work, which prints its rows only. BENCH_PYTHON: Python 3.12 or newer; RUNS: of each, 3.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownCommands, RIVALS, type Rival, type Work } from './rivals.ts'
import { candlesFile, tradesFile } from './tapes.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const CLI = fileURLToPath(new URL('../../bundle/cli/main.js', import.meta.url))
const TABLE = fileURLToPath(new URL('../README.md', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../.cache/rivals', import.meta.url))
/** Emptied before each run. */
const MADE = join(FOLDER, 'made')
const PYTHON = join(FOLDER, 'python', 'bin', 'python')
const RUNS = Number(process.env.RUNS ?? 3)
const MARKS = ['<!-- rivals -->', '<!-- end of rivals -->'] as const
const MIB = 2 ** 20
/** A run that takes longer is done once. */
const LONG_SECONDS = 60
const LONGEST_SECONDS = 600

const WORKS: Readonly<Record<Work, { readonly title: string; readonly file: () => string }>> = {
  candles: {
    title: '1,000,000 one-minute candles, crossing of two averages',
    file: () => candlesFile(join(FOLDER, 'candles.csv'), 1_000_000),
  },
  sweep: {
    title: '1,000 pairs of lengths on 43,199 candles',
    file: () => candlesFile(join(FOLDER, 'month.csv'), 43_199),
  },
  trades: {
    title: '5,000,000 trades, counted one by one',
    file: () => tradesFile(join(FOLDER, 'trades.csv'), 5_000_000),
  },
  import: {
    title: 'import of 5,000,000 trades from CSV',
    file: () => tradesFile(join(FOLDER, 'trades.csv'), 5_000_000),
  },
}

interface Taken {
  /** Processor time, in seconds. */
  readonly seconds: number
  /** Highest resident bytes of a process. */
  readonly bytes: number
}

interface Row {
  readonly name: string
  readonly command: readonly string[]
  readonly taken: Taken[]
  fault?: string
}

/** @returns false, with the message printed, if it failed */
function done(command: string, args: readonly string[]): boolean {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: LONGEST_SECONDS * 1_000 })
  if (status !== 0) console.error(`${command} ${args.join(' ')}: ${stderr.trim().split('\n').at(-1) ?? ''}`)
  return status === 0
}

/** @returns the version, or undefined if it does not install here */
function installed({ from, packages }: Rival): string | undefined {
  const [name = ''] = packages[0]?.split(/[>=<@]/) ?? []
  if (from === 'npm') {
    if (!done('npm', ['install', '--no-audit', '--no-fund', '--prefix', FOLDER, ...packages])) return undefined
    const { version } = JSON.parse(readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string
    }
    return version
  }
  if (!existsSync(PYTHON)) done(process.env.BENCH_PYTHON ?? 'python3', ['-m', 'venv', join(FOLDER, 'python')])
  if (!done(PYTHON, ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', ...packages])) return undefined
  const ask = `import importlib.metadata as m; print(m.version('${name}'))`
  return spawnSync(PYTHON, ['-c', ask], { encoding: 'utf8' }).stdout.trim()
}

/** Runs it once more, and notes what it took. @returns what to show of it */
function measured(row: Row): string {
  rmSync(MADE, { recursive: true, force: true })
  mkdirSync(MADE)
  const [command = '', ...args] = row.command
  const { stdout, status, stderr } = spawnSync(
    PYTHON,
    [join(HERE, 'measured.py'), String(LONGEST_SECONDS), command, ...args],
    {
      cwd: FOLDER,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, NODE_PATH: join(FOLDER, 'node_modules') },
    },
  )
  const [seconds = Number.NaN, bytes = Number.NaN] = stdout.trim().split(' ').map(Number)
  if (status === 0) row.taken.push({ seconds, bytes })
  else row.fault = stderr.trim().split('\n').at(-1) ?? ''
  return row.fault ?? `${seconds.toFixed(2)} s`
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const seconds = (row: Row | undefined): number => median(row?.taken.map((taken) => taken.seconds) ?? [])

/** Commands for a piece of work, ours first. */
function rowsOf(work: Work, file: string, versions: ReadonlyMap<Rival, string>): readonly Row[] {
  const ours = Object.entries(ownCommands(work, file, MADE)).map(([name, args]): Row => {
    return { name, command: [process.execPath, CLI, ...args], taken: [] }
  })
  const theirs = [...versions].flatMap(([rival, version]): readonly Row[] => {
    const args = rival.works[work]
    if (args === undefined) return []
    if (rival.prepare !== undefined) done(PYTHON, [...rival.prepare, file])
    const command = rival.from === 'npm' ? process.execPath : PYTHON
    return [{ name: `${rival.name} ${version}`, command: [command, ...args, file], taken: [] }]
  })
  return [...ours, ...theirs]
}

/** Runs all in turn, and returns the lines of the table. */
function compared(work: Work, versions: ReadonlyMap<Rival, string>): readonly string[] {
  const { title, file } = WORKS[work]
  const rows = rowsOf(work, file(), versions)
  for (let run = 0; run < RUNS; run += 1)
    for (const row of rows) {
      if (row.fault !== undefined || seconds(row) > LONG_SECONDS) continue
      console.error(`${work}: ${row.name}: ${measured(row)}`)
    }
  const [first] = rows
  return rows.map((row) => {
    const { name, taken, fault } = row
    if (fault !== undefined) return `| ${title} | ${name} | ${fault} | | | |`
    const memory = (median(taken.map(({ bytes }) => bytes)) / MIB).toFixed(0)
    const ratio = (seconds(first) / seconds(row)).toFixed(2)
    return `| ${title} | ${name} | ${seconds(row).toFixed(1)} | ${ratio} | ${memory} | ${taken.length} |`
  })
}

const HEAD = [
  '| Work | Tool | CPU, s | papertape, as a multiple | Peak memory, MB | Runs |',
  '|---|---|--:|--:|--:|--:|',
]

mkdirSync(FOLDER, { recursive: true })
const named = process.argv.slice(2)
const works = (Object.keys(WORKS) as Work[]).filter((work) => named.length === 0 || named.includes(work))
const versions = new Map<Rival, string>()
for (const rival of RIVALS) {
  if (!works.some((work) => rival.works[work] !== undefined)) continue
  const version = installed(rival)
  if (version === undefined) console.error(`${rival.name} does not install here and is left out`)
  else versions.set(rival, version)
}
const lines = [...HEAD, ...works.flatMap((work) => compared(work, versions))]
if (named.length > 0) console.log(lines.join('\n'))
else {
  const [before = '', rest = ''] = readFileSync(TABLE, 'utf8').split(MARKS[0])
  const after = rest.split(MARKS[1])[1] ?? ''
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}.`
  writeFileSync(TABLE, [before, MARKS[0], `\n${machine}\n\n${lines.join('\n')}\n`, MARKS[1], after].join(''))
}
