/** The flags of `papertape import`, and their conversion to options. */
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { DEFAULT_STORE } from '../shared-flags.ts'
import type { ImportPlace } from '../../store/transfers/import-recordings.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { integer } from '../../runtime/settings/form.ts'
import { EACH_READING, resolveReading, type TapeReading } from '../../runtime/settings/tape-reading.ts'
import { namedFile } from '../backtest/backtest-options-of.ts'
import { flagName, flagWords } from '../flag-words.ts'
import type { FlagValues } from '../cli-command.ts'
import { several, single, type FlagText } from '../option-values.ts'

const [READING, BAD, OUTPUT] = ['Reading a file:', 'Bad rows:', 'Output:']

const text = (group: string, describe: string): Options => ({ type: 'string', requiresArg: true, describe, group })
const toggle = (group: string, describe: string): Options => ({ type: 'boolean', describe, group })

export const IMPORT_FLAGS: Readonly<Record<string, Options>> = {
  ...Object.fromEntries(
    EACH_READING.map(([name, { words, form }]) => [
      flagName(name),
      form.ofText === undefined ? toggle(READING, words) : text(READING, words),
    ]),
  ),
  symbol: text(
    READING,
    'market of files given without SYMBOL=, such as BTC_USD (default: read from the file or its name)',
  ),
  'skip-bad': toggle(BAD, 'skip bad rows, count them by reason, and write them to FILE.rejects.csv'),
  'max-bad': text(BAD, 'with --skip-bad, stop after more than this many bad rows (default: no limit)'),
  db: text(OUTPUT, `database to import into, created if missing (default: ${DEFAULT_STORE})`),
  out: text(OUTPUT, 'import one market into this NAME.tape file instead; needs no database'),
  json: toggle(OUTPUT, 'print only a JSON array on stdout, one object per file'),
  quiet: toggle(OUTPUT, 'print only errors and warnings'),
}

/** Settings in the words of a command whose files have no flag. */
export const wordsOfFiles =
  (command: string): ReturnType<typeof flagWords> =>
  (name) =>
    name.path === 'tapes' ? command : flagWords(new Map())(name)

export interface ImportRequest {
  readonly sources: readonly TapeSource[]
  readonly place: ImportPlace
  /** Undefined to end at the first row that is wrong. */
  readonly maxBad: number | undefined
  readonly isJson: boolean
  readonly isQuiet: boolean
}

/** @throws {InputError} naming the invalid flag */
export function requestOf(values: FlagValues): ImportRequest {
  const reading = readingOf(values)
  const given = several('import', values.files as FlagText)
  if (given.length === 0) throw new InputError('import', 'expected a file')
  const sources = given.map((each) => {
    const { file, symbol = reading.symbol } = namedFile(each)
    return { ...reading, file, ...(symbol !== undefined && { symbol }) }
  })
  return {
    sources,
    place: placeOf(values),
    maxBad: maxBadOf(values),
    isJson: values.json === true,
    isQuiet: values.quiet === true,
  }
}

function readingOf(values: FlagValues): TapeReading {
  const given = EACH_READING.flatMap(([name, { form }]) => {
    const flag = flagName(name)
    if (form.ofText === undefined) return values[flag] === undefined ? [] : [[name, values[flag]]]
    const value = single(`--${flag}`, values[flag] as FlagText)
    return value === undefined ? [] : [[name, form.ofText(setting(name), value)]]
  })
  return resolveReading(Object.fromEntries(given) as Parameters<typeof resolveReading>[0])
}

function placeOf(values: FlagValues): ImportPlace {
  const store = single('--db', values.db as FlagText)
  const out = single('--out', values.out as FlagText)
  if (out === undefined) return { form: 'store', file: store ?? DEFAULT_STORE }
  if (store !== undefined) throw new InputError('--out', 'cannot be combined with --db; pass one of them')
  if (out.endsWith('.tape')) return { form: 'tape-file', file: out }
  throw new InputError('--out', `expected a name that ends in .tape, got '${out}'`)
}

function maxBadOf(values: FlagValues): number | undefined {
  const most = single('--max-bad', values['max-bad'] as FlagText)
  if (values['skip-bad'] !== true) {
    if (most !== undefined) throw new InputError('--max-bad', 'needs --skip-bad')
    return undefined
  }
  return most === undefined ? Number.POSITIVE_INFINITY : integer(0, Number.MAX_SAFE_INTEGER).ofText('--max-bad', most)
}
