/** `papertape query`, after its arguments are parsed. */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import { readTime } from '../../runtime/settings/form.ts'
import { runQuery } from '../../run/query/query-database.ts'
import { tableParts } from '../../run/query/query-tables.ts'
import { removePartial } from '../../store/remove-partial.ts'
import { namedFile } from '../backtest/backtest-options-of.ts'
import type { FlagValues } from '../cli-command.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import { single, several, type FlagText } from '../option-values.ts'
import { DEFAULT_STORE } from '../shared-flags.ts'
import { onEndSignals } from '../until-signalled.ts'
import { MAX_TABLE_ROWS, printRows, type RowsForm } from './printed-rows.ts'

/** @returns the exit code @throws {InputError} for invalid flags, sources or SQL */
export async function query(values: FlagValues): Promise<number> {
  const { sql, sources, window, form, parquet } = requestOf(values)
  const folder = mkdtempSync(join(tmpdir(), `papertape-query-${io.life.pid}-`))
  const clean = (): void => rmSync(folder, { recursive: true, force: true })
  const forget = onEndSignals({
    first: (signal) => {
      clean()
      io.life.raise(signal)
    },
  })
  try {
    const parts = await tableParts(sources, window)
    const written = parquet === undefined ? undefined : join(folder, 'result.parquet')
    const result = await runQuery({
      sql,
      parts,
      folder,
      ...(written !== undefined && { parquet: written }),
      ...(form === 'table' && { maxRows: MAX_TABLE_ROWS + 1 }),
    })
    if (written === undefined || parquet === undefined) await printRows(result, form)
    else save(written, parquet)
  } finally {
    forget()
    clean()
  }
  return EXIT.done
}

interface CommandRequest {
  readonly sql: string | undefined
  readonly sources: readonly { readonly file: string; readonly symbol?: string }[]
  readonly window: { readonly from?: number; readonly to?: number }
  readonly form: RowsForm
  readonly parquet: string | undefined
}

function requestOf(values: FlagValues): CommandRequest {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const words = several('query', values.words as FlagText)
  const [sql, files] = values.tables === true ? [undefined, words] : [words[0], words.slice(1)]
  if (sql === undefined && values.tables !== true)
    throw new InputError('query', 'missing: give SQL such as "SELECT * FROM trades LIMIT 10", or --tables')
  const [symbol, from, to, parquet] = [text('symbol'), text('from'), text('to'), text('parquet')]
  const forms = (['csv', 'json'] as const).filter((form) => values[form] === true)
  const [form = 'table'] = forms
  if (forms.length + Number(parquet !== undefined) > 1)
    throw new InputError('query', 'expected one of --csv, --json and --parquet')
  if (parquet !== undefined && values.force !== true && existsSync(parquet))
    throw new InputError(parquet, 'exists already: pass --force to overwrite it')
  return {
    sql,
    sources: (files.length === 0 ? [DEFAULT_STORE] : files).map((file) => ({
      ...(symbol !== undefined && { symbol }),
      ...(existsSync(file) ? { file } : namedFile(file)),
    })),
    window: {
      ...(from !== undefined && { from: readTime('--from', from) }),
      ...(to !== undefined && { to: readTime('--to', to) }),
    },
    form,
    parquet,
  }
}

/** Copies the file under a temporary name, then renames it. */
function save(written: string, file: string): void {
  const partial = `${file}.${io.life.pid}.partial`
  try {
    copyFileSync(written, partial)
    renameSync(partial, file)
  } catch (error) {
    removePartial(partial)
    throw asWriteFault(file, error)
  }
}
