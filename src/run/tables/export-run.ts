/**
 * Exports the tables of a run as Parquet files in a folder of their own, since the directory of a run is sealed.
 *
 * Invariant: the folder is written under a temporary name next to it, and renamed when it is complete.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import { REPORT_FILE } from '../../store/runs/run-file-names.ts'
import { csvTextTable, RUN_TABLES, runTextTable } from './run-tables.ts'
import { writeTextTable } from './text-table.ts'
import { unfinished } from '../../store/unfinished.ts'

export interface RunExport {
  /** Directory of the run. */
  readonly run: string
  readonly folder: string
  /** Whether an earlier export of that name is replaced. */
  readonly isForced: boolean
}

/** @returns the number of rows by table @throws {InputError} naming the run, one of its files, or the folder */
export async function exportRun({ run, folder, isForced }: RunExport): Promise<Readonly<Record<string, number>>> {
  if (!existsSync(join(run, REPORT_FILE)))
    throw new InputError(run, 'expected the directory of a run: it has no run.json')
  checkFolder(folder, isForced)
  const partial = unfinished(join(dirname(folder), `.${basename(folder)}.${process.pid}.partial`))
  const rows: Record<string, number> = {}
  try {
    mkdirSync(partial)
    const write = async (table: string, text: Parameters<typeof writeTextTable>[1]): Promise<void> => {
      rows[table] = await writeTextTable(join(partial, `${table}.parquet`), text)
    }
    await write('runs', runTextTable(join(run, REPORT_FILE)))
    for (const [table, name] of Object.entries(RUN_TABLES)) {
      const file = join(run, name)
      if (existsSync(file)) await write(table, await csvTextTable(file))
    }
    if (isForced) rmSync(folder, { recursive: true, force: true })
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw asWriteFault(folder, error)
  }
  return rows
}

function checkFolder(folder: string, isForced: boolean): void {
  if (!existsSync(folder)) return
  if (!isForced) throw new InputError(folder, 'exists already: pass --force to overwrite it')
  if (!statSync(folder).isDirectory()) throw new InputError(folder, 'expected a folder, got a file')
  const tables = new Set(['runs', ...Object.keys(RUN_TABLES)].map((table) => `${table}.parquet`))
  const foreign = readdirSync(folder, { withFileTypes: true }).find(
    (entry) => !entry.isFile() || !tables.has(entry.name),
  )
  if (foreign !== undefined)
    throw new InputError(folder, `has '${foreign.name}', which is no table of a run: use another folder`)
}
