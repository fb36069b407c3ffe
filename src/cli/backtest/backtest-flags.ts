/**
 * The flags of `papertape backtest`, made of the settings of a run, and their texts as the config that they stand for.
 */
import type { Options } from 'yargs'
import { InputError, type Place } from '../../domain/errors.ts'
import { setting, type SettingWords } from '../../domain/setting-name.ts'
import type { Form } from '../../runtime/settings/form.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { EACH_READING } from '../../runtime/settings/tape-reading.ts'
import type { TermGroup } from '../../runtime/settings/term.ts'
import type { BacktestConfig } from '../config/backtest-config.ts'
import { CONFIG_FLAG } from '../shared-flags.ts'
import type { FlagValues } from '../cli-command.ts'
import { flagName, flagWords } from '../flag-words.ts'
import { assignment, type FlagText, record, several, single, seriesFiles } from '../option-values.ts'
import { TURN_LIMIT_WORDS, turnLimitOf } from '../thread/turn-limit.ts'

/** The settings of a run in the words of `papertape backtest`. */
export const BACKTEST_WORDS = flagWords(
  new Map([['tapes', 'tape'], ['books', 'depth'], ...EACH_TERM.map(([, { option, key }]) => [option, key] as const)]),
)

/** The settings of a sweep in the words of `papertape sweep`. */
export const SWEEP_WORDS: SettingWords = (name) => {
  const { path } = name
  if (path === 'grid') return '--param'
  const fixed = /^fixed\.(.+)$/.exec(path)?.[1]
  return fixed === undefined ? BACKTEST_WORDS(name) : `params.${fixed} of the config`
}

const GROUPS: Readonly<Record<TermGroup | 'worlds' | 'output', string>> = {
  reading: 'Reading a tape:',
  terms: 'Terms of the run:',
  worlds: 'Other worlds:',
  risk: 'Risk limits:',
  output: 'Output:',
}

const text = (group: keyof typeof GROUPS, describe: string): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  group: GROUPS[group],
})

const toggle = (group: keyof typeof GROUPS, describe: string): Options => ({
  type: 'boolean',
  describe,
  group: GROUPS[group],
})

/** A setting that one flag says. */
interface FlagTerm {
  /** Key in the config file. */
  readonly key: string
  /** Path in error messages. */
  readonly option: string
  readonly words: string
  readonly group: TermGroup
  readonly form: Form<unknown>
}

const FLAG_TERMS: readonly FlagTerm[] = [
  ...EACH_READING.map(([name, { words, form }]): FlagTerm => ({
    key: name,
    option: name,
    words,
    group: 'reading',
    form,
  })),
  ...EACH_TERM.map(([, term]) => term),
]

const optionsOf = ({ words, group, form }: FlagTerm): Options =>
  form.ofText === undefined ? toggle(group, words) : text(group, words)

const flagsOf = (terms: readonly FlagTerm[]): Readonly<Record<string, Options>> =>
  Object.fromEntries(terms.map((term) => [flagName(term.key), optionsOf(term)]))

export const BACKTEST_FLAGS: Readonly<Record<string, Options>> = {
  tape: text(
    'reading',
    'recorded trades or candles, [SYMBOL=]FILE: CSV, JSON, Parquet, .tape or a database, also compressed; repeatable',
  ),
  depth: text('reading', 'recorded order book or quotes to use with the trades, SYMBOL=FILE; repeatable'),
  series: text('reading', "the strategy's own data, NAME=FILE: CSV or JSON with a column 'timestamp'; repeatable"),
  ...flagsOf(FLAG_TERMS.filter(({ group }) => group === 'reading')),
  param: text('terms', 'strategy parameter, NAME=VALUE; repeatable'),
  credit: text('terms', 'starting balance, AMOUNT:ASSET; repeatable (default: 10000 of the quote asset)'),
  ...flagsOf(FLAG_TERMS.filter(({ group }) => group === 'terms')),
  bounds: toggle(
    'terms',
    'if a resting order filled, also run under the best-case and worst-case fill models (default: on); --no-bounds turns it off',
  ),
  ...flagsOf(FLAG_TERMS.filter(({ group }) => group === 'risk')),
  vary: text(
    'worlds',
    'run with every combination of these values of settings, such as order-latency=20,50,200 or seed=1..20; repeatable',
  ),
  robustness: toggle(
    'worlds',
    'also run with other fees, latencies, liquidity and seeds, one at a time, and name the setting that matters most',
  ),
  null: text('worlds', 'repeat the run on this many shuffled tapes, such as 99, to get a p-value of its return'),
  workers: text('worlds', 'number of threads for --vary (default: one per core)'),
  redis: text('worlds', 'run --vary on papertape worker processes through this Redis, such as redis://127.0.0.1:6379'),
  config: { ...CONFIG_FLAG, group: GROUPS.output },
  out: text(
    'output',
    'directory to write the run to: run.json, orders.csv, fills.csv, trades.csv, equity.csv, journal.jsonl',
  ),
  force: toggle('output', 'overwrite the backtest in that directory'),
  db: text('output', 'database to save the run in, such as papertape.db; see papertape runs'),
  'count-trials': toggle(
    'output',
    'count the run as a trial in that database (default: on); --no-count-trials turns it off',
  ),
  json: toggle('output', 'print only run.json on stdout'),
  quiet: toggle('output', 'print no progress and no summary'),
  watch: toggle('output', 'run again when the strategy, a file it imports or the config is saved; Ctrl-C ends it'),
  'turn-limit': text('output', TURN_LIMIT_WORDS),
}

/** @throws {InputError} naming the invalid flag */
export function configOfFlags(strategy: string | undefined, values: FlagValues): BacktestConfig {
  const tapes = several('--tape', values.tape as FlagText)
  const { books, values: others } = withoutBooks(values)
  const params = several('--param', values.param as FlagText).map((each) => assignment('--param', each))
  const credit = several('--credit', values.credit as FlagText).map(creditPair)
  const out = single('--out', values.out as FlagText)
  const db = single('--db', values.db as FlagText)
  return withoutUndefined({
    strategy,
    tape: tapes.length === 0 ? undefined : [...tapes],
    depth: books.length === 0 ? undefined : [...books],
    series: seriesFiles(values.series as FlagText, undefined),
    ...Object.fromEntries(FLAG_TERMS.map((term) => [term.key, valueOf(term, others)])),
    params: params.length === 0 ? undefined : record('--param', params),
    credit: credit.length === 0 ? undefined : record('--credit', credit),
    bounds: values.bounds as boolean | undefined,
    out,
    force: values.force as boolean | undefined,
    db,
    countTrials: values['count-trials'] as boolean | undefined,
    json: values.json as boolean | undefined,
    quiet: values.quiet as boolean | undefined,
    turnLimit: turnLimitOf(values),
  })
}

/** A number for `--depth` is a size of simulated levels, a former name of `--level-size`. */
const LEVEL_SIZE = /^\d+(?:\.\d+)?$/

function withoutBooks(values: FlagValues): { readonly books: readonly string[]; readonly values: FlagValues } {
  const given = several('--depth', values.depth as FlagText)
  const sizes = given.filter((each) => LEVEL_SIZE.test(each))
  const books = given.filter((each) => !LEVEL_SIZE.test(each))
  if (sizes.length === 0) return { books, values }
  if (values['level-size'] !== undefined)
    throw new InputError('--depth', 'expected SYMBOL=FILE; a number is not allowed together with --level-size')
  return { books, values: { ...values, 'level-size': sizes } }
}

function valueOf({ key, option, form }: FlagTerm, values: FlagValues): unknown {
  const flag = flagName(key)
  if (form.ofText === undefined) return values[flag]
  const given = single(`--${flag}`, values[flag] as FlagText)
  const place: Place = setting(option)
  return given === undefined ? undefined : form.ofText(place, given)
}

export function creditPair(value: string): readonly [string, string] {
  const colon = value.indexOf(':')
  if (colon > 0 && colon < value.length - 1) return [value.slice(colon + 1), value.slice(0, colon)]
  throw new InputError('--credit', `expected AMOUNT:ASSET such as 10000:USD, got '${value}'`)
}

type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

/** A flag that was not given must not hide what the file says. */
function withoutUndefined<T extends object>(values: T): Partial<Given<T>> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<Given<T>>
}
