/**
 * The terms of a run: all result-affecting settings except strategy, tapes and credits, in the order of `run.json` and
 * of the journal's head.
 *
 * A new setting needs a row here, and the code that uses it: its flag, its key in the config file, its checks, its
 * place in `run.json` and in the journal, and `verify` are derived from the row. An option of `backtest()` is named by
 * its path.
 */
import { z } from 'zod'
import { CANDLE_INTERVALS } from '../../domain/candle.ts'
import { setting, worded, type SettingName } from '../../domain/setting-name.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../domain/rate-window.ts'
import { DEFAULT_LIQUIDITY, DEFAULT_WITH_BOOK, LIQUIDITY_NAMES } from '../../simulation/liquidity/liquidity-models.ts'
import { currentTerms, digestedTerms, renamed } from './former-terms.ts'
import {
  anyText,
  anyTime,
  choice,
  expected,
  integer,
  numberBetween,
  orOff,
  plainNumber,
  positiveDecimal,
  readLength,
  readTime,
  unixMs,
  type TextForm,
} from './form.ts'
import { nullableTerm, plainTerm, type GivenOf, type Term, type ValueOf } from './term.ts'

const MAX_CLIPS = 1000
/** A day, as a plausibility limit. */
export const MAX_LATENCY_MS = 86_400_000
const MAX_ORDERS = 1_000_000
const MAX_SEED = 2 ** 31 - 1

/** A 32-bit integer. */
export const seedForm: TextForm<number> = integer(-MAX_SEED - 1, MAX_SEED)

const MIN_PERIODS_PER_YEAR = 0.001
const MAX_PERIODS_PER_YEAR = 1_000_000

/** Lengths of a period of the returns: those candles that the service has. */
export type StatsPeriod = keyof typeof CANDLE_INTERVALS

export const STATS_PERIOD_NAMES = Object.keys(CANDLE_INTERVALS) as readonly StatsPeriod[]

const statsPeriod: TextForm<StatsPeriod> = choice(STATS_PERIOD_NAMES)

const latencyForm = integer(0, MAX_LATENCY_MS)

export const rateLimits: z.ZodType<RateLimits> & z.ZodObject = z.strictObject({
  general: z.int().min(1),
  mutations: z.int().min(1),
  windowSeconds: z.int().min(1),
})

const limitsTerm: Term<boolean | RateLimits, RateLimits | null> = {
  option: 'limits',
  key: 'limits',
  words: 'apply the rate limits of the service (default); --no-limits turns them off',
  group: 'terms',
  form: { schema: z.union([z.boolean(), rateLimits], expected('true, false, or the limits')), ofText: undefined },
  value: rateLimits.nullable(),
  inJournal: 'always',
  resolve: (given = true) => {
    if (given === true) return DEFAULT_RATE_LIMITS
    if (given === false) return null
    // Fixed order, because they are written to the journal.
    const { general, mutations, windowSeconds } = given
    return { general, mutations, windowSeconds }
  },
}

const timeTerm = (option: 'from' | 'to', words: string): Term<string | number, number | null> => ({
  option,
  key: option,
  words,
  group: 'reading',
  form: anyTime,
  value: unixMs.nullable(),
  inJournal: 'never',
  resolve: (given, place) => (given === undefined ? null : readTime(place, given)),
})

const warmupTerm: Term<string, number | null> = {
  option: 'warmup',
  key: 'warmup',
  words: 'feed this much history first (e.g. 30d) without sending orders (default: as declared by the strategy)',
  group: 'reading',
  form: anyText,
  // Absent in older runs, which had no warm-up.
  value: z.int().min(1).nullable().default(null),
  inJournal: 'never',
  resolve: (given, place) => (given === undefined ? null : readLength(place, given)),
}

/** A risk limit: null means off, the default. */
const riskTerm = <Value extends string | number>(
  form: TextForm<Value>,
  name: string,
  words: string,
): Term<Value | 'off', Value | null> => ({
  option: `risk.${name}`,
  key: name,
  words: `${words} (default: off)`,
  group: 'risk',
  form: orOff(form),
  // Absent in older runs, which had no such limit.
  value: form.schema.nullable().default(null),
  inJournal: 'if-set',
  resolve: (given) => (given === undefined || given === 'off' ? null : given),
})

/** Null if a reached loss limit only reduces, as in older runs. */
const atLimitTerm: Term<'reduce' | 'flatten', 'flatten' | null> = {
  option: 'risk.atLimit',
  key: 'atLimit',
  words:
    'what a day-loss or drawdown limit does: reduce, or flatten to also sell the position of the session (default: reduce)',
  group: 'risk',
  form: choice(['reduce', 'flatten']),
  value: z.literal('flatten').nullable().default(null),
  inJournal: 'if-set',
  resolve: (given) => (given === 'flatten' ? given : null),
}

/** Null where computed values are rounded. */
const roundingTerm: Term<'round' | 'refuse', 'refuse' | null> = {
  option: 'rounding',
  key: 'rounding',
  words:
    'computed quantities and limit prices with too many digits: round them to the lot and tick, or refuse the order (default: round)',
  group: 'terms',
  form: choice(['round', 'refuse']),
  value: z.literal('refuse').nullable().default(null),
  inJournal: 'if-set',
  resolve: (given) => (given === 'refuse' ? given : null),
}

type PrintFilterName = 'auto' | 'off'

const printFilter = choice(['auto', 'off'])

/** `all` is the former name of `off`. */
const printFilterTerm: Term<PrintFilterName | 'all', PrintFilterName> = {
  option: 'printFilter',
  key: 'printFilter',
  formerly: { option: 'believe', key: 'believe' },
  words: 'outlier filter of recorded prints: auto (applies to prints without a side) or off (default: auto)',
  group: 'terms',
  form: {
    schema: z.preprocess((given) => (given === 'all' ? 'off' : given), printFilter.schema),
    ofText: (place, text) => (text === 'all' ? 'off' : printFilter.ofText(place, text)),
  },
  value: printFilter.schema,
  inJournal: 'always',
  resolve: (given = 'auto') => (given === 'all' ? 'off' : given),
}

const RUN_TERMS = {
  /** Fee of a resting order: a decimal string of basis points of the notional, 0 to 10000. */
  makerFeeBps: plainTerm(anyText, '0', {
    option: 'fees.makerBps',
    key: 'makerFee',
    words: 'maker fee in basis points',
    inJournal: 'never',
  }),
  /** Fee of an order that takes: a decimal string of basis points of the notional, 0 to 10000. */
  takerFeeBps: plainTerm(anyText, '0', {
    option: 'fees.takerBps',
    key: 'takerFee',
    words: 'taker fee in basis points',
    inJournal: 'never',
  }),
  /**
   * Name of the liquidity model, or path of the user's own; null for `tape`, or `book` where a book or quotes were
   * recorded.
   */
  liquidity: nullableTerm(anyText, {
    option: 'liquidity',
    key: 'liquidity',
    words: `liquidity model: ${LIQUIDITY_NAMES.join(', ')}, or a file (default: ${DEFAULT_LIQUIDITY}, or ${DEFAULT_WITH_BOOK} with a recorded book)`,
    inJournal: 'never',
  }),
  /** Queue size ahead of an order that joins a price, in average trade sizes: 0 to 1000. */
  queueSize: plainTerm(plainNumber(MAX_CLIPS), 1, {
    option: 'liquidity.queueSize',
    key: 'queue',
    formerly: { option: 'liquidity.queueClips' },
    words: 'queue size ahead of your order, in average trade sizes',
  }),
  /** Size of each simulated price level, in average trade sizes: 0 to 1000. */
  levelSize: plainTerm(plainNumber(MAX_CLIPS), 1, {
    option: 'liquidity.levelSize',
    key: 'levelSize',
    formerly: { option: 'liquidity.depthClips', key: 'ladder' },
    words: 'size of each simulated price level, in average trade sizes',
  }),
  /** The crowd's spread as a decimal string in the quote asset; null to learn it. */
  spread: nullableTerm(anyText, {
    option: 'liquidity.spread',
    key: 'spread',
    words: 'spread of the market, such as 0.01 (default: estimated from trades; one tick for candles)',
  }),
  /** Milliseconds after which a quote shows no ladder; null for 10 minutes. */
  staleAfterMs: nullableTerm(integer(0, Number.MAX_SAFE_INTEGER), {
    option: 'liquidity.staleAfterMs',
    key: 'staleAfter',
    words: 'milliseconds after which a quote is stale and fills nothing (default: 600000)',
  }),
  /** Outlier filter of recorded prints. */
  printFilter: printFilterTerm,
  /** Milliseconds until an order arrives, 0 to a day. */
  orderLatencyMs: plainTerm(latencyForm, 50, {
    option: 'latency.orderMs',
    key: 'orderLatency',
    words: 'milliseconds until an order reaches the exchange',
  }),
  /** Milliseconds until its answer arrives, 0 to a day. */
  responseLatencyMs: plainTerm(latencyForm, 0, {
    option: 'latency.responseMs',
    key: 'responseLatency',
    words: 'milliseconds until the reply reaches the strategy',
  }),
  /** Milliseconds until market data arrives, 0 to a day. */
  feedLatencyMs: plainTerm(latencyForm, 0, {
    option: 'latency.feedMs',
    key: 'feedLatency',
    words: 'milliseconds until market data reaches the strategy',
  }),
  /** Fate of an order over the rate limit: it is refused, or it waits. */
  onLimit: plainTerm(choice(['refuse', 'wait']), 'refuse', {
    option: 'onLimit',
    key: 'onLimit',
    words: 'what happens to an order over the rate limit: refuse or wait',
  }),
  /** Fate of a computed value with too many digits; null to round it. */
  rounding: roundingTerm,
  /** Requests a window, by kind; null for no limits. */
  limits: limitsTerm,
  /** Orders and cancels at one moment that are not taken for an endless loop; null for the default. */
  maxOrdersAtOnce: {
    ...nullableTerm(integer(1, MAX_ORDERS), {
      option: 'maxOrdersAtOnce',
      key: 'maxOrdersAtOnce',
      words: 'end the run at more orders and cancels at one moment, as in an endless loop (default: 10000)',
      inJournal: 'if-set',
    }),
    value: z.int().nullable().default(null),
  },
  /** Unix milliseconds from which on the tapes are played; null for their beginning. */
  from: timeTerm('from', 'start of the run, inclusive: ISO 8601 or Unix ms'),
  /** Unix milliseconds up to which the tapes are played, exclusive; null for their end. */
  to: timeTerm('to', 'end of the run, exclusive: ISO 8601 or Unix ms'),
  /**
   * Milliseconds before `from` that the strategy sees and in which nothing of it is sent; null for what it asks for
   * itself.
   */
  warmupMs: warmupTerm,
  /** Largest notional of an order: a decimal string in the quote asset of its market; null for any. */
  maxOrder: riskTerm(positiveDecimal, 'maxOrder', 'refuse an order worth more than this in the quote asset'),
  /**
   * Largest worth of a position and all that open orders could add: a decimal string in the quote asset; null for any.
   */
  maxPosition: riskTerm(
    positiveDecimal,
    'maxPosition',
    'refuse a buy if position plus open orders could exceed this value in the quote asset',
  ),
  /** How far beyond the last trade a limit order may reach: a decimal string; null for any. */
  collarPercent: riskTerm(
    positiveDecimal,
    'collarPercent',
    'refuse a limit buy this many percent above the last trade, or a limit sell this many below',
  ),
  /** Order creations within 60 seconds; null for any. */
  ordersPerMinute: riskTerm(integer(1, MAX_ORDERS), 'ordersPerMinute', 'refuse orders beyond this many within 60 s'),
  /** A loss since the start of the UTC day: a decimal string in the quote asset; null for any. */
  dayLoss: riskTerm(
    positiveDecimal,
    'dayLoss',
    'after a loss of this much in a UTC day, only reduce positions until the next',
  ),
  /** A fall from the highest equity: a decimal string; null for any. */
  drawdownPercent: riskTerm(
    positiveDecimal,
    'drawdownPercent',
    'once equity is this many percent below its peak, only reduce positions',
  ),
  /** Action when a loss limit is reached; null to reduce. */
  atLimit: atLimitTerm,
  /** Period of the samples on which returns rest, by its name. */
  statsPeriod: {
    ...plainTerm(statsPeriod, '1d', {
      option: 'statsPeriod',
      key: 'statsPeriod',
      words: `sampling period of returns in the statistics: ${STATS_PERIOD_NAMES.join(', ')}`,
      inJournal: 'never',
    }),
    value: statsPeriod.schema.default('1d'),
  },
  /** Periods with trades in a year, above 0; null to measure them. */
  periodsPerYear: {
    ...nullableTerm(numberBetween(MIN_PERIODS_PER_YEAR, MAX_PERIODS_PER_YEAR), {
      option: 'periodsPerYear',
      key: 'periodsPerYear',
      words: 'periods per year used to annualize, such as 252 trading days (default: measured)',
      inJournal: 'never',
    }),
    value: numberBetween(MIN_PERIODS_PER_YEAR, MAX_PERIODS_PER_YEAR).schema.nullable().default(null),
  },
  /** Risk-free rate of a year as a share, -1 to 10. */
  riskFreeRate: {
    ...plainTerm(numberBetween(-1, 10), 0, {
      option: 'riskFreeRate',
      key: 'riskFreeRate',
      words: 'annual risk-free rate as a fraction, such as 0.02',
      inJournal: 'never',
    }),
    value: numberBetween(-1, 10).schema.default(0),
  },
  /** A 32-bit integer. */
  seed: plainTerm(seedForm, 1, { option: 'seed', key: 'seed', words: 'random seed' }),
} as const

type Terms = typeof RUN_TERMS
export type TermName = keyof Terms

/** Given terms; missing ones have their default. */
export type GivenTerms = { readonly [Name in TermName]?: GivenOf<Terms[Name]> | undefined }

/** The terms in effect, defaults included. */
export type RunTerms = { readonly [Name in TermName]: ValueOf<Terms[Name]> }

/** Every term with its name, in their order. */
export const EACH_TERM = Object.entries(RUN_TERMS) as readonly (readonly [TermName, Term<unknown, unknown>])[]

/**
 * Given settings, with the current names in place of former ones.
 * @param kind     whether its names are those of options or of keys in a config file
 * @param prefix   group that the names are in, such as `liquidity.`
 * @param placeOf  place of a name in errors
 * @throws {InputError} for a setting that is given by both names
 */
export function currentNames<Given extends Readonly<Record<string, unknown>>>(
  given: Given,
  kind: 'option' | 'key',
  placeOf: (name: string) => Place,
  prefix = '',
): Given {
  const names = new Map(
    EACH_TERM.flatMap(([, { formerly, [kind]: name }]) => {
      const former = formerly?.[kind]
      return former?.startsWith(prefix) === true ? [[former.slice(prefix.length), name.slice(prefix.length)]] : []
    }),
  )
  return renamed(given, names, placeOf)
}

/** Name of a term as the place of an error. */
export const placeOf = (name: TermName): SettingName => setting(RUN_TERMS[name].option)

/** @throws {InputError} naming an invalid setting */
export function resolveTerms(given: GivenTerms): RunTerms {
  const terms = Object.fromEntries(
    EACH_TERM.map(([name, term]) => [name, term.resolve(given[name], setting(term.option))]),
  ) as unknown as RunTerms
  if (terms.atLimit !== null && terms.dayLoss === null && terms.drawdownPercent === null) {
    const reported = worded`'${terms.atLimit}' needs a limit at which it sells: ${placeOf('dayLoss')} or ${placeOf('drawdownPercent')}`
    throw new InputError(placeOf('atLimit'), reported)
  }
  return terms
}

/** Milliseconds of the period of the returns. */
export const statsPeriodMs = ({ statsPeriod: name }: Pick<RunTerms, 'statsPeriod'>): number => CANDLE_INTERVALS[name]

/** Picks the terms, in their order, from an object that contains more. */
export const termsOf = (settings: RunTerms): RunTerms =>
  Object.fromEntries(EACH_TERM.map(([name]) => [name, settings[name]])) as unknown as RunTerms

/** Schema of the terms in `run.json`. */
export const runTermsSchema = z.preprocess(
  (config) => (typeof config === 'object' && config !== null ? currentTerms({ ...config }) : config),
  z.object(Object.fromEntries(EACH_TERM.map(([name, term]) => [name, term.value]))),
) as unknown as z.ZodType<RunTerms>

/** The terms in the head of the journal, in their order. */
export const journalTerms = (terms: RunTerms): Readonly<Record<string, unknown>> =>
  digestedTerms(
    Object.fromEntries(
      EACH_TERM.flatMap(([name, { inJournal }]) => {
        const isListed = inJournal === 'always' || (inJournal === 'if-set' && terms[name] !== null)
        return isListed ? [[name, terms[name]]] : []
      }),
    ),
  )
