/** Runs in a database: list, read, compare, add and remove. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { InputError } from '../domain/errors.ts'
import { savedSummaryOf, type SavedSummary, type ListedRun } from '../report/saved-runs/saved-summary.ts'
import { isFields, type ComparedRun, type Fields } from '../report/run-difference/run-trace.ts'
import { traceOf } from '../report/run-difference/trace-builder.ts'
import { journalLinesIn } from '../runtime/journal/journal-reader.ts'
import { unzipped } from '../store/runs/gathered-run.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE, RUN_FILES, type RunFileName } from '../store/runs/run-file-names.ts'
import { sealFaults, sealIn } from '../store/runs/run-seal.ts'
import { RunStore, shownId, type StoredRun, type ZippedFiles } from '../store/runs/run-store.ts'
import { checkThere } from './run-file.ts'

/** Newest first. @throws {InputError} if the database cannot be read */
export function listRuns(file: string): readonly ListedRun[] {
  const runs = RunStore.read(file, (store) => store.list())
  return runs.map((run) => listed(file, run, runs))
}

/** A run in a database, with its stored files. */
export interface ReadRun extends ListedRun {
  /** Text of its `run.json`. */
  readonly report: string
  /** Equity samples, oldest first. */
  readonly equity: readonly number[]
}

/** @param id  unique prefix of the run's id @throws {InputError} if there is no such run */
export function readRun(file: string, id: string): ReadRun {
  const { run, all, files } = found(file, id)
  const rows = (unzipped(files, 'equity.csv') ?? '').trimEnd().split('\n').slice(1)
  return {
    ...listed(file, run, all),
    report: textOf(file, id, files, REPORT_FILE),
    equity: rows.map((row) => Number(row.split(',')[1])),
  }
}

/** @throws {InputError} if there is no such run, or if its journal was too large to be stored */
export function readStoredComparison(file: string, id: string): ComparedRun {
  const { run, all, files } = found(file, id)
  const name = shownId(run.id, all)
  const journal = textOf(file, id, files, 'journal.jsonl')
  const where = `${file}: ${name}: journal.jsonl`
  return {
    directory: name,
    report: fieldsIn(textOf(file, id, files, REPORT_FILE)),
    head: fieldsIn(journal.slice(0, journal.indexOf('\n'))),
    trace: traceOf(journalLinesIn(where, journal)),
    isCut: false,
    changed: [],
  }
}

/** The files of a run by name, read on demand; undefined for one that was not stored. */
export interface StoredTexts {
  /** Shortest unique prefix of the run's id. */
  readonly name: string
  readonly text: (name: RunFileName) => string | undefined
}

/** @throws {InputError} if there is no such run */
export function storedTexts(file: string, id: string): StoredTexts {
  const { run, all, files } = found(file, id)
  const text = (name: RunFileName): string | undefined => (files.has(name) ? textOf(file, id, files, name) : undefined)
  return { name: shownId(run.id, all), text }
}

/**
 * Adds the run of a directory to a database.
 *
 * @returns its id
 * @throws {InputError} if the directory contains no run, or one that was changed
 */
export function addRun(file: string, directory: string, now: number): string {
  settleRunDirectory(directory)
  checkThere(directory)
  const [fault] = sealFaults(directory)
  if (fault !== undefined) throw new InputError(join(directory, fault.name), fault.message)
  const text = readFileSync(join(directory, REPORT_FILE), 'utf8')
  const [id, summary] = [sealIn(text), savedSummaryOf(fieldsIn(text))]
  if (id === undefined || summary === undefined) throw new InputError(join(directory, REPORT_FILE), 'is not a run')
  const files = new Map(RUN_FILES.flatMap((name) => zippedFile(directory, name)))
  return RunStore.write(file, undefined, (store) => {
    store.put({ id, savedAt: now, summary: JSON.stringify(summary) }, files)
    return shownId(id, store.list())
  })
}

/** Removes runs from a database, all or none. @returns their ids @throws {InputError} if one does not exist */
export function removeRuns(file: string, ids: readonly string[]): readonly string[] {
  // Opened read-only first: a missing database must not be created.
  RunStore.read(file, (store) => ids.map((id) => store.find(id)))
  return RunStore.write(file, undefined, (store) => {
    const all = store.list()
    const runs = ids.map((id) => store.find(id))
    for (const { id } of runs) store.remove(id)
    return [...new Set(runs.map(({ id }) => shownId(id, all)))]
  })
}

interface FoundRun {
  readonly run: StoredRun
  readonly all: readonly StoredRun[]
  readonly files: ZippedFiles
}

const found = (file: string, prefix: string): FoundRun =>
  RunStore.read(file, (store) => {
    const run = store.find(prefix)
    return { run, all: store.list(), files: store.files(run.id) }
  })

function listed(file: string, { id, savedAt, summary }: StoredRun, all: readonly StoredRun[]): ListedRun {
  const reported: SavedSummary | undefined = savedSummaryOf(fieldsIn(summary))
  if (reported === undefined) throw new InputError(file, `is damaged: run ${id} has no valid summary`)
  return { id: shownId(id, all), savedAt, summary: reported }
}

function textOf(file: string, id: string, files: ZippedFiles, name: RunFileName): string {
  try {
    const text = unzipped(files, name)
    if (text !== undefined) return text
  } catch (error) {
    throw new InputError(file, `is damaged: ${name} of run ${id} cannot be read`, { cause: error })
  }
  throw new InputError(file, `has no ${name} of run ${id}: it was too large to be saved`)
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return isFields(json) ? json : undefined
  } catch {
    return undefined
  }
}

function zippedFile(directory: string, name: RunFileName): readonly (readonly [RunFileName, Uint8Array])[] {
  try {
    return [[name, gzipSync(readFileSync(join(directory, name)))]]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
