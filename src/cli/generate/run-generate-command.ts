/**
 * `papertape generate`, once its flags are read: flags as terms, trades made as the file is written.
 */
import { InputError } from '../../domain/errors.ts'
import { DAY_MS, isoTime } from '../../domain/time.ts'
import { readableCount } from '../../report/readable.ts'
import { printable } from '../../report/terminal-text.ts'
import { generatedMarket, generatedTrades } from '../../simulation/agents/generated-tape.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { writeTape, type WrittenTape } from '../../store/tapes/tape-writer.ts'
import { integer } from '../../runtime/settings/form.ts'
import { seedForm } from '../../runtime/settings/run-terms.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import { printJson } from '../shared-flags.ts'
import { single, type FlagText } from '../option-values.ts'
import { endWithoutUnfinished } from '../until-signalled.ts'

const MAX_DAYS = 3650

/** Writes the tape, and prints a summary. */
export async function generateAndShow(values: FlagValues): Promise<void> {
  endWithoutUnfinished()
  const written = await generateTape(values)
  if (values.json === true) printJson(written)
  else io.stderr.write(`${writtenLine(written)}\n`)
}

interface NamedTape extends WrittenTape {
  readonly file: string
}

/**
 * Writes the tape.
 *
 * @param values  texts by flag, as yargs has them
 * @throws {InputError} naming the flag, or the file when it cannot be written
 */
export async function generateTape(values: FlagValues): Promise<NamedTape> {
  const read = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const file = read('out')
  if (file === undefined) throw new InputError('--out', 'missing: pass --out FILE')
  const days = integer(1, MAX_DAYS).ofText('--days', read('days') ?? '30')
  const seed = seedForm.ofText('--seed', read('seed') ?? '1')
  const from = startTime(read('start') ?? '2024-01-01')
  const market = generatedMarket('--symbol', read('symbol') ?? 'BTC_USD')
  const trades = generatedTrades({ market, from, to: from + days * DAY_MS, seed })
  return { file, ...(await writeTape(file, market, trades)) }
}

function startTime(start: string): number {
  const parsed = parseIsoTime(start)
  if (parsed?.exact && parsed.time >= 0) return parsed.time
  throw new InputError('--start', `expected a date from 1970 on, such as 2024-01-01, got '${start}'`)
}

function writtenLine({ file, rows, from, to, bytes }: NamedTape): string {
  const span = from === undefined || to === undefined ? '' : `, ${isoTime(from)} to ${isoTime(to)}`
  return `${printable(file)}: ${readableCount(rows, 'trade')}${span}, ${readableCount(bytes, 'byte')}`
}
