/**
 * The command that repeats a backtest: its inputs, and every setting that differs from the default. Files are named as
 * they were given, so it runs from the same directory.
 *
 * Known limit: a run has no command if its rate limits are custom, or if a program supplied one of its parts.
 */
import { isoTime } from '../../domain/time.ts'
import { DEFAULT_CREDIT } from '../../runtime/settings/backtest-settings.ts'
import { GIVEN_LIQUIDITY } from '../../runtime/backtest/liquidity-choice.ts'
import { EACH_TERM, resolveTerms } from '../../runtime/settings/run-terms.ts'
import { EACH_BOOK_READING, EACH_READING } from '../../runtime/settings/tape-reading.ts'
import type { BookReport, JsonValue, RunReport, TapeReport } from '../run/run-report.ts'

/** @returns null if no command line can express the run */
export function repeatCommand(report: RunReport): string | null {
  const { strategy, tapes, books = [], series = [], params, config, live, paper, partOf } = report
  if (live !== undefined || paper !== undefined || tapes.length + books.length === 0) return null
  if (partOf !== undefined || strategy.sha256 === null || config.liquidity === GIVEN_LIQUIDITY) return null
  const flags = termFlags(report)
  const readings = readingFlags(tapes, books)
  const values = Object.entries(params).map(([name, value]) => paramFlag(name, value))
  if (flags === undefined || readings === undefined || values.includes(undefined)) return null
  return [
    'papertape backtest',
    quoted(strategy.file),
    ...tapes.map(({ symbol, file }) => `--tape ${quoted(`${symbol}=${file}`)}`),
    ...bookFlags(books),
    ...series.map(({ name, file }) => `--series ${quoted(`${name}=${file}`)}`),
    ...readings,
    ...values.flatMap((each) => each ?? []),
    ...creditFlags(report),
    ...flags,
  ].join(' ')
}

/** Reading flags shared by all tapes; undefined if tapes differ. */
function readingFlags(tapes: readonly TapeReport[], books: readonly BookReport[]): readonly string[] | undefined {
  const flags: string[] = []
  for (const [name] of EACH_READING) {
    if (name === 'symbol') continue
    const ofBooks = EACH_BOOK_READING.some(([other]) => other === name) ? books : []
    const all = [...tapes, ...ofBooks].map(({ reading }: { readonly reading: TapeReport['reading'] }) => reading[name])
    if (new Set(all.map((each) => JSON.stringify(each))).size > 1) return undefined
    const [value] = all
    if (value === undefined) continue
    if (value === true) flags.push(`--${flagOf(name)}`)
    else if (value !== false) flags.push(`--${flagOf(name)} ${quoted(String(value))}`)
  }
  return flags
}

/** The book and the quotes of one file are two recordings but one flag. */
const bookFlags = (books: readonly BookReport[]): readonly string[] => [
  ...new Set(books.map(({ symbol, file }) => `--depth ${quoted(`${symbol}=${file}`)}`)),
]

const paramFlag = (name: string, value: JsonValue): string | undefined => {
  if (typeof value === 'object')
    return value === null ? undefined : `--param ${quoted(`${name}=${JSON.stringify(value)}`)}`
  return `--param ${quoted(`${name}=${String(value)}`)}`
}

const creditFlags = ({ config, quoteAsset }: RunReport): readonly string[] => {
  const credit = Object.entries(config.credit)
  const [[asset, amount] = []] = credit
  if (credit.length === 1 && asset === quoteAsset && amount === DEFAULT_CREDIT) return []
  return credit.map(([each, of]) => `--credit ${quoted(`${of}:${each}`)}`)
}

function termFlags({ config }: RunReport): readonly string[] | undefined {
  const usual = resolveTerms({})
  const flags: string[] = []
  for (const [name, { key }] of EACH_TERM) {
    const value: unknown = config[name]
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual[name])) continue
    if (name === 'from' || name === 'to') flags.push(`--${flagOf(key)} ${isoTime(Number(value))}`)
    else if (name === 'warmupMs') flags.push(`--${flagOf(key)} ${lengthText(Number(value))}`)
    else if (name === 'limits') {
      if (value !== null) return undefined
      flags.push('--no-limits')
    } else if (value === null) flags.push(`--${flagOf(key)} off`)
    else if (typeof value === 'boolean') flags.push(`--${value ? '' : 'no-'}${flagOf(key)}`)
    else flags.push(`--${flagOf(key)} ${quoted(plainText(value))}`)
  }
  return flags
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const LENGTHS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

function lengthText(ms: number): string {
  const [unit, length] = LENGTHS.find(([, each]) => ms % each === 0) ?? ['ms', 1]
  return `${ms / length}${unit}`
}

const flagOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** POSIX shell quoting; safe words stay bare. */
const quoted = (text: string): string => (/^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
