/**
 * The flags of `papertape backtest`, and their texts as the config that they stand for.
 */
import type { Options } from 'yargs'
import { LIQUIDITY_NAMES, DEFAULT_LIQUIDITY } from '../../simulation/liquidity/liquidity-models.ts'
import type { BacktestConfig } from './backtest-config.ts'
import { assignment, integer, oneOf, record, several, single, type FlagText } from '../option-values.ts'
import { InputError } from '../../domain/errors.ts'

const text = (describe: string, more: Options = {}): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...more,
})
const READING = 'Reading a tape:'
const TERMS = 'Terms of the run:'
const OUTPUT = 'Output:'

export const BACKTEST_FLAGS = {
  tape: text('recorded market, [SYMBOL=]FILE: trades or candles in CSV or CSV.gz; repeat for several', {
    group: READING,
  }),
  symbol: text('market of a single tape without SYMBOL=, such as BTC_USD', { group: READING }),
  columns: text('fields of the file: time=ts,price=px,qty=amount, or a list of positions without header', {
    group: READING,
  }),
  'candle-time': text('whether the time of a candle is its open (default) or its close', { group: READING }),
  'candle-interval': text('length of a candle: 1m, 1h, 1d, ... or milliseconds (default: smallest step)', {
    group: READING,
  }),
  'price-precision': text('decimals of a price (default: the fewest that hold every row)', { group: READING }),
  'qty-precision': text('decimals of a quantity (default: the fewest that hold every row)', { group: READING }),
  from: text('leave out what was recorded before: ISO 8601 or Unix ms', { group: READING }),
  to: text('leave out what was recorded from here on', { group: READING }),
  param: text('parameter of the strategy, NAME=VALUE; repeat for several', { group: TERMS }),
  credit: text('what the account starts with, AMOUNT:ASSET; repeat (default: 10000 of the quote asset)', {
    group: TERMS,
  }),
  'maker-fee': text('fee of a resting order in basis points (default: 0)', { group: TERMS }),
  'taker-fee': text('fee of an order that takes, in basis points (default: 0)', { group: TERMS }),
  liquidity: text(`what the market offers: ${LIQUIDITY_NAMES.join(', ')}, or a file (default: ${DEFAULT_LIQUIDITY})`, {
    group: TERMS,
  }),
  queue: text('clips ahead of an order that joins a price (default: 1)', { group: TERMS }),
  depth: text('clips at a level of the ladder (default: 1)', { group: TERMS }),
  spread: text('spread of the market, such as 0.01 (default: learnt; of candles one tick)', { group: TERMS }),
  'stale-after': text('milliseconds after which a quote offers nothing (default: 600000, or two candles)', {
    group: TERMS,
  }),
  bounds: {
    type: 'boolean',
    describe: 'run under through, tape and touch when a resting order filled (default); --no-bounds for one run',
    group: TERMS,
  },
  'order-latency': text('milliseconds until an order arrives (default: 50)', { group: TERMS }),
  'response-latency': text('milliseconds until its answer arrives (default: 0)', { group: TERMS }),
  'feed-latency': text('milliseconds until market data arrives (default: 0)', { group: TERMS }),
  'on-limit': text('what an order over the rate limit does: refuse (default) or wait', { group: TERMS }),
  limits: {
    type: 'boolean',
    describe: 'keep the rate limits of the service (default); --no-limits for none',
    group: TERMS,
  },
  seed: text('seed of everything random (default: 1)', { group: TERMS }),
  config: text('file to read instead of papertape.config.ts, .js or .json', { group: OUTPUT }),
  out: text('directory for run.json, orders.csv, fills.csv, equity.csv, journal.jsonl', { group: OUTPUT }),
  json: { type: 'boolean', describe: 'print run.json on stdout and nothing else', group: OUTPUT },
  quiet: { type: 'boolean', describe: 'no progress, no summary', group: OUTPUT },
} as const satisfies Record<string, Options>

export type BacktestFlag = keyof typeof BACKTEST_FLAGS
/** What yargs makes of a command line. */
export type FlagValues = Readonly<Record<string, unknown>>

const MAX_LATENCY_MS = 86_400_000
const MAX_PRECISION = 12
const MAX_CLIPS = 1000
const MAX_SEED = 2 ** 31 - 1

/** A number of clips, such as 1 or 0.5. */
function clips(flag: string, value: string): number {
  const count = /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : Number.NaN
  if (count <= MAX_CLIPS) return count
  throw new InputError(flag, `expected a number from 0 to ${MAX_CLIPS}, got '${value}'`)
}

/** @throws {InputError} naming the flag that is not as it should be */
export function configOfFlags(strategy: string | undefined, values: FlagValues): BacktestConfig {
  const read = <T>(flag: BacktestFlag, reader: (name: string, value: string) => T): T | undefined => {
    const value = single(`--${flag}`, values[flag] as FlagText)
    return value === undefined ? undefined : reader(`--${flag}`, value)
  }
  const asText = (_: string, value: string): string => value
  const latency = (name: string, value: string): number => integer(name, value, 0, MAX_LATENCY_MS)
  const precision = (name: string, value: string): number => integer(name, value, 0, MAX_PRECISION)
  const tapes = several('--tape', values.tape as FlagText)
  const params = several('--param', values.param as FlagText).map((each) => assignment('--param', each))
  const credit = several('--credit', values.credit as FlagText).map(creditPair)
  return withoutUndefined({
    strategy,
    tape: tapes.length === 0 ? undefined : [...tapes],
    symbol: read('symbol', asText),
    columns: read('columns', asText),
    candleTime: read('candle-time', (name, value) => oneOf(name, value, ['open', 'close'])),
    candleInterval: read('candle-interval', asText),
    pricePrecision: read('price-precision', precision),
    qtyPrecision: read('qty-precision', precision),
    from: read('from', asText),
    to: read('to', asText),
    params: params.length === 0 ? undefined : record('--param', params),
    credit: credit.length === 0 ? undefined : record('--credit', credit),
    makerFee: read('maker-fee', asText),
    takerFee: read('taker-fee', asText),
    liquidity: read('liquidity', asText),
    queue: read('queue', clips),
    depth: read('depth', clips),
    spread: read('spread', asText),
    staleAfter: read('stale-after', (name, value) => integer(name, value, 0, Number.MAX_SAFE_INTEGER)),
    bounds: values.bounds as boolean | undefined,
    orderLatency: read('order-latency', latency),
    responseLatency: read('response-latency', latency),
    feedLatency: read('feed-latency', latency),
    onLimit: read('on-limit', (name, value) => oneOf(name, value, ['refuse', 'wait'])),
    limits: values.limits as boolean | undefined,
    seed: read('seed', (name, value) => integer(name, value, -MAX_SEED - 1, MAX_SEED)),
    out: read('out', asText),
    json: values.json as boolean | undefined,
    quiet: values.quiet as boolean | undefined,
  })
}

function creditPair(value: string): readonly [string, string] {
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
