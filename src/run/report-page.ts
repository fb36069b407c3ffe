/**
 * A run, or several side by side, as one HTML file that works offline.
 */
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { pageRun } from '../report/page/page-run.ts'
import { builtFile } from '../report/page/built-file.ts'
import type { PageData, PageRun } from '../report/page/page-data.ts'
import { pageDocument } from '../report/page/page-document.ts'
import type { Definitions } from '../report/page/figure-forms.ts'
import { PAGE_FILE, pagePartName } from '../store/runs/run-file-names.ts'
import { isPage } from '../store/runs/run-place.ts'
import { pageSourceIn, storedPageSource, type PageSource } from './page-source.ts'
import { writeFault } from '../domain/write-fault.ts'
import { removePartial } from '../store/remove-partial.ts'

/** Orders whose story is told on a page; those of others are told by `papertape why`. */
const MOST_STORIES = 3_000

/** Runs of which a page is made, and where they are. */
export interface ReportPageOptions {
  /** Directories that hold a run each, or ids of a store; at least one. */
  readonly runs: readonly string[]
  /** Store of these ids; default: they are directories. */
  readonly db?: string | undefined
}

/** A page for people. */
export interface ReportPage {
  /** The whole document. */
  readonly html: string
  /** What is not as a run wrote it, in words, a place first. */
  readonly faults: readonly string[]
}

/**
 * Makes the page of one run, or of several side by side.
 *
 * @throws {InputError} when one of them is no finished run
 */
export function reportPage({ runs, db }: ReportPageOptions): ReportPage {
  const names = namesOf(runs)
  const definitions = JSON.parse(builtFile('definitions.json')) as Definitions
  const sources = runs.map((run) => (db === undefined ? pageSourceIn(run) : storedPageSource(db, run)))
  const mostStories = Math.ceil(MOST_STORIES / Math.max(1, runs.length))
  const pages = sources.map((source, index) => {
    const place = runs[index] ?? ''
    return orFault(source, () => pageRun(source, { name: names[index] ?? place, place, definitions, mostStories }))
  })
  const data: PageData = { title: titleOf(sources), runs: pages }
  const html = pageDocument({ title: data.title, data, script: builtFile('report.js'), style: builtFile('report.css') })
  return { html, faults: sources.flatMap(({ faults }) => faults) }
}

/** Files that were changed since may hold anything, and it is they that are wrong then. */
function orFault(source: PageSource, made: () => PageRun): PageRun {
  try {
    return made()
  } catch (error) {
    const [fault] = source.faults
    if (error instanceof InputError || fault === undefined) throw error
    throw new InputError(source.where, `no report can be made of it: ${fault}`, { cause: error })
  }
}

/** As few of the last parts of each path as tell them apart. */
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
 * Writes a page whole, in the place of an earlier page and of nothing else.
 *
 * @throws {InputError} when something else stands there, or it cannot be written; then what stood there still does
 */
export function writePage(path: string, html: string): void {
  const partial = join(dirname(resolve(path)), pagePartName(basename(path), process.pid))
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && !(stats.isFile() && isPage(path))) {
      throw new InputError(path, 'exists already and is not a papertape report: use another file')
    }
    // A process of this number that was killed has left its own.
    rmSync(partial, { force: true })
    writeFileSync(partial, html, { flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    if (error instanceof InputError) throw error
    removePartial(partial)
    throw writeFault(path, 'cannot be written', error)
  }
}

/** Puts the page of a run beside its files. @returns its path @throws {InputError} as those two do */
export function writeRunPage(directory: string): string {
  const path = join(directory, PAGE_FILE)
  writePage(path, reportPage({ runs: [directory] }).html)
  return path
}
