/** An HTML report of one or several runs, as one file that works offline. */
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import { setting } from '../domain/setting-name.ts'
import { writeFault } from '../domain/write-fault.ts'
import { builtFile } from '../report/page/built-file.ts'
import type { Definitions } from '../report/page/figure-forms.ts'
import { type JournalFacts, journalFacts, ownJournalFacts } from '../report/page/journal-facts.ts'
import type { PageData, PageRun } from '../report/page/page-data.ts'
import { pageDocument } from '../report/page/page-document.ts'
import { pageHead } from '../report/page/page-head.ts'
import { pageRun, type RunTextSource, samplesOf } from '../report/page/page-run.ts'
import { equityLine } from '../report/page/run-series.ts'
import { pairTable } from '../report/page/run-pairs.ts'
import { currentReport } from '../report/run/former-report.ts'
import { hasPageLater } from '../report/run/page-later.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { journalLines, journalLinesIn } from '../runtime/journal/journal-reader.ts'
import { seededRandom } from '../runtime/strategies/seeded-random.ts'
import { lineTexts, textPieces } from '../store/runs/line-reader.ts'
import { removePartial } from '../store/remove-partial.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { PAGE_FILE, pagePartName, REPORT_FILE } from '../store/runs/run-file-names.ts'
import { isPage } from '../store/runs/run-place.ts'
import { sealFaults } from '../store/runs/run-seal.ts'
import { checkThere } from './run-file.ts'
import { storedTexts } from './stored-runs.ts'
import { isUnchangedRun } from './unchanged-run.ts'

/** The files of a finished run as source of its page: from a run directory, or from a database. */
interface PageSource extends RunTextSource {
  /** Deviations from the files as written by the run, in words. */
  readonly faults: readonly string[]
}

/** @throws {InputError} if the directory contains no finished run */
function pageSourceIn(directory: string): PageSource {
  settleRunDirectory(directory)
  if (existsSync(join(directory, 'sweep.json'))) {
    throw new InputError(directory, 'is a sweep, which has a page of its own: pass it alone, or pass run directories')
  }
  checkThere(directory)
  const path = (name: string): string => join(directory, name)
  const journal = path('journal.jsonl')
  const faults = sealFaults(directory)
  const report = reportIn(path(REPORT_FILE), readFileSync(path(REPORT_FILE), 'utf8'))
  const isUnchanged = isUnchangedRun(report, faults)
  const facts = (maxExplanations: number): JournalFacts =>
    isUnchanged
      ? ownJournalFacts(journal, lineTexts(journal), maxExplanations)
      : journalFacts(journalLines(journal), maxExplanations)
  return {
    where: directory,
    report,
    text: (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined),
    pieces: (name) => (existsSync(path(name)) ? textPieces(path(name)) : []),
    journal: existsSync(journal) ? facts : undefined,
    faults: faults.map(({ name, message }) => `${path(name)}: ${message}`),
  }
}

/** @param id  unique prefix of the run's id @throws {InputError} if there is no such run */
function storedPageSource(file: string, id: string): PageSource {
  const { name, text } = storedTexts(file, id)
  const where = `${file}: ${name}`
  const journal = text('journal.jsonl')
  return {
    where,
    report: reportIn(`${where}: ${REPORT_FILE}`, text(REPORT_FILE) ?? ''),
    text,
    pieces: (name) => [text(name) ?? []].flat(),
    journal:
      journal === undefined
        ? undefined
        : (maxExplanations) => journalFacts(journalLinesIn(`${where}: journal.jsonl`, journal), maxExplanations),
    faults: [],
  }
}

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

/** Fields that the page requires. A file without them is not a run, is of another version, or was changed. */
const needed = z.object({
  version: z.string(),
  strategy: z.object({ name: z.string(), file: z.string() }),
  params: z.record(z.string(), z.unknown()),
  tapes: z.array(z.object({ symbol: z.string(), from: z.number(), to: z.number(), reading: z.object({}) })),
  config: z.object({ credit: z.record(z.string(), z.string()) }),
  statistics: z.object({ roundTrips: z.number(), openTrips: z.array(z.object({ unrealizedPnl: decimal.nullable() })) }),
  audit: z.object({ ok: z.boolean() }),
  initialEquity: decimal,
  finalEquity: decimal,
  balances: z.record(z.string(), z.object({})),
  fillQuality: z.record(z.string(), z.object({ shareOfVolume: z.number(), ordersAcrossGaps: z.number() })),
  refusals: z.record(z.string(), z.number()),
  optimistic: z.array(z.object({ setting: z.string(), words: z.string() })),
  notices: z.array(z.string()),
  warnings: z.int().optional(),
})

function reportIn(where: string, text: string): RunReport {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new InputError(where, 'is not JSON', { cause: error })
  }
  const report = typeof json === 'object' && json !== null ? currentReport({ ...json }) : json
  const parsed = needed.safeParse(report)
  if (parsed.success) return report as RunReport
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new InputError(
    `${where} ${field}`.trim(),
    `${issue?.message ?? 'is not a run'}: run it again with this papertape`,
  )
}

/** Maximum number of orders explained on a page; `papertape why` explains the others. */
const MAX_EXPLANATIONS = 3_000
/** More than there is room for on the page of one run. */
const MAX_EXPLANATIONS_OF_RUN = 1_200

/** Runs of a page, and where they are stored. */
export interface ReportPageOptions {
  /** Run directories, or ids in a database; at least one. */
  readonly runs: readonly string[]
  /** Database of these ids; default: `runs` are directories. */
  readonly db?: string | undefined
  /** A market of the only run, or another run, to compare it with; default: holding all markets. */
  readonly benchmark?: string | undefined
}

/** A report page. */
export interface ReportPage {
  /** The whole HTML document. */
  readonly html: string
  /** Deviations from the files as written by the run, each starting with the place. */
  readonly faults: readonly string[]
}

/**
 * Creates the page of one run, or of several to compare.
 *
 * @throws {InputError} if one of them is not a finished run
 */
export function reportPage({ runs, db, benchmark }: ReportPageOptions): ReportPage {
  if (benchmark !== undefined && runs.length > 1) {
    throw new InputError(setting('benchmark'), 'several runs are compared with each other: pass one run')
  }
  const names = namesOf(runs)
  const definitions = JSON.parse(builtFile('definitions.json')) as Definitions
  const sources = runs.map((run) => (db === undefined ? pageSourceIn(run) : storedPageSource(db, run)))
  const maxExplanations = Math.min(MAX_EXPLANATIONS_OF_RUN, Math.ceil(MAX_EXPLANATIONS / runs.length))
  const other = benchmark === undefined ? undefined : sourceOfBenchmark(benchmark, db)
  const equity = other && equityLine(`${other.where}/equity.csv`, other.text('equity.csv') ?? '')
  const given = benchmark === undefined ? undefined : { name: benchmark, equity }
  const details: string[] = []
  const pages = sources.map((source, index) => {
    const place = runs[index] ?? ''
    const made = orFault(source, () =>
      pageRun(source, { name: names[index] ?? place, place, definitions, benchmark: given, maxExplanations, details }),
    )
    return withFaults(made, source)
  })
  const sampled = sources.map((source, index) => ({ name: names[index] ?? '', samples: samplesOf(source) }))
  const pairs = pairTable(sampled, seededRandom(sources[0]?.report.config.seed ?? 1))
  const data: PageData = { title: titleOf(sources), runs: pages, pairs }
  const [script, style] = [builtFile('report.js'), builtFile('report.css')]
  const html = pageDocument({ title: data.title, head: pageHead(data), data, details, script, style })
  return { html, faults: [...sources, ...(other === undefined ? [] : [other])].flatMap(({ faults }) => faults) }
}

/** The run of that name, if there is one: a run directory, or the id of a stored run, which has no underscore. */
function sourceOfBenchmark(benchmark: string, db: string | undefined): PageSource | undefined {
  if (db !== undefined) return benchmark.includes('_') ? undefined : storedPageSource(db, benchmark)
  settleRunDirectory(benchmark)
  return existsSync(join(benchmark, REPORT_FILE)) ? pageSourceIn(benchmark) : undefined
}

/** A page may be sent around without the messages of the command that made it. */
function withFaults(run: PageRun, { faults, where }: PageSource): PageRun {
  if (faults.length === 0) return run
  const files = faults.map((fault) => fault.replace(`${where}/`, '').replace(/: expected.*/, ''))
  const doubt = { text: 'files of this run are not as the run wrote them', why: `${files.join('; ')}.` }
  return { ...run, verdict: { ...run.verdict, doubts: [doubt, ...run.verdict.doubts] } }
}

/** Reports a changed file as such: any other error may only be a consequence of the change. */
function orFault(source: PageSource, made: () => PageRun): PageRun {
  try {
    return made()
  } catch (error) {
    const [fault] = source.faults
    if (error instanceof InputError || fault === undefined) throw error
    throw new InputError(source.where, `no report can be made of it: ${fault}`, { cause: error })
  }
}

/** Shortest path suffixes that are unique. */
function namesOf(runs: readonly string[]): readonly string[] {
  const paths = runs.map((run) => resolve(run).split('/'))
  for (let parts = 1; ; parts += 1) {
    const names = paths.map((path) => path.slice(-parts).join('/'))
    const isLongest = paths.every((path) => path.length <= parts)
    if (new Set(names).size === names.length) return names
    if (isLongest) return names.map((name, index) => `${name} (${index + 1})`)
  }
}

function titleOf(sources: readonly PageSource[]): string {
  const [first] = sources
  if (first === undefined) throw new InputError('runs', 'expected at least one run')
  const names = [...new Set(sources.map(({ report }) => report.strategy.name))]
  const symbols = [...new Set(sources.flatMap(({ report }) => report.tapes.map(({ symbol }) => symbol)))]
  const on = symbols.length === 0 ? '' : ` on ${symbols.join(', ')}`
  return sources.length === 1 ? `${names.join('')}${on}` : `${sources.length} runs of ${names.join(', ')}${on}`
}

/**
 * Writes a page atomically; overwrites nothing but an earlier page.
 *
 * @throws {InputError} if another file exists there, or if it cannot be written; an existing file stays unchanged
 */
export function writePage(path: string, html: string): void {
  const partial = join(dirname(resolve(path)), pagePartName(basename(path), process.pid))
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && !(stats.isFile() && isPage(path))) {
      throw new InputError(path, 'exists already and is not a papertape report: use another file')
    }
    // Left by a killed process with the same pid.
    rmSync(partial, { force: true })
    writeFileSync(partial, html, { flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    if (error instanceof InputError) throw error
    removePartial(partial)
    throw writeFault(path, 'cannot be written', error)
  }
}

/** Whether the page of a run is made when it is asked for. @throws {InputError} if its report is none */
export function isLongRun(directory: string): boolean {
  const path = join(directory, REPORT_FILE)
  return existsSync(path) && hasPageLater(reportIn(path, readFileSync(path, 'utf8')))
}

/**
 * Writes the page of a run that has just ended next to its files, unless it is a long run.
 *
 * @throws {InputError} as reportPage and writePage do
 */
export function writeRunPage(directory: string): void {
  if (isLongRun(directory)) return
  writePage(join(directory, PAGE_FILE), reportPage({ runs: [directory] }).html)
}
