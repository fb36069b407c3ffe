/**
 * `papertape export`, once its flags are read.
 */
import { join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting } from '../../domain/setting-name.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { readInterval, readTime } from '../../runtime/settings/form.ts'
import { exportRun } from '../../run/tables/export-run.ts'
import { exportBook } from '../../store/transfers/export-book.ts'
import { exportTape, type ExportRequest } from '../../store/tapes/exports/export-tape.ts'
import { namedFile } from '../backtest/backtest-options-of.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import { single, type FlagText } from '../option-values.ts'
import { storeOf } from '../shared-flags.ts'
import { endWithoutUnfinished } from '../until-signalled.ts'

/** @throws {InputError} for anything that the user has to mend; then nothing was written */
export async function exportFile(values: FlagValues): Promise<void> {
  endWithoutUnfinished()
  if (typeof values.run === 'string') {
    await exportTables(values.run, values)
    return
  }
  const [request, ofBook] = [requestOf(values), kindOf(values)]
  const exported = ofBook === undefined ? await exportTape(request) : await exportBook({ ...request, kind: ofBook })
  if (values.json === true) {
    io.stdout.write(`${JSON.stringify(exported)}\n`)
    return
  }
  const { file, symbol, kind, rows, bytes, notices } = exported
  for (const notice of notices) io.stderr.write(`${printable(notice)}\n`)
  const what = `${readableCount(rows, 'row')} of ${symbol} ${kind}`
  io.stderr.write(`${printable(file)}: ${what}, ${readableCount(bytes, 'byte')}\n`)
}

async function exportTables(run: string, values: FlagValues): Promise<void> {
  const other = OF_TAPES.find((flag) => values[flag] !== undefined)
  if (other !== undefined) throw new InputError(`--${other}`, 'is for tapes: remove it, or the run')
  const folder = outOf(values)
  const rows = await exportRun({ run, folder, isForced: values.force === true })
  if (values.json === true) io.stdout.write(`${JSON.stringify({ folder, rows })}\n`)
  else
    for (const [table, count] of Object.entries(rows))
      io.stderr.write(`${printable(join(folder, `${table}.parquet`))}: ${readableCount(count, 'row')}\n`)
}

const OF_TAPES = ['tape', 'db', 'symbol', 'candle-interval', 'kind', 'from', 'to']

function outOf(values: FlagValues): string {
  const out = single('--out', values.out as FlagText)
  if (out === undefined) throw new InputError('--out', 'missing: pass --out FILE')
  return out
}

/** Undefined for trades and candles. */
function kindOf(values: FlagValues): 'depth' | 'quotes' | undefined {
  const kind = single('--kind', values.kind as FlagText)
  if (kind === undefined || kind === 'depth' || kind === 'quotes') return kind
  throw new InputError('--kind', `expected depth or quotes, got '${escapedExcerpt(kind)}'`)
}

function requestOf(values: FlagValues): ExportRequest {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const file = outOf(values)
  const tape = text('tape')
  if (tape !== undefined && values.db !== undefined)
    throw new InputError('--tape', 'cannot be combined with --db; pass one of them')
  const named = tape === undefined ? { file: storeOf(values.db) } : namedFile(tape)
  const symbol = text('symbol') ?? ('symbol' in named ? named.symbol : undefined)
  const interval = text('candle-interval')
  const [from, to] = [text('from'), text('to')]
  return {
    source: {
      file: named.file,
      ...(symbol !== undefined && { symbol }),
      ...(interval !== undefined && { candleInterval: readInterval(setting('candleInterval'), interval) }),
    },
    window: {
      ...(from !== undefined && { from: readTime('--from', from) }),
      ...(to !== undefined && { to: readTime('--to', to) }),
    },
    file,
    isForced: values.force === true,
  }
}
