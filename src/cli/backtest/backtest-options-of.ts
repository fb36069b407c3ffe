/** Backtest options from config and flags; flags take precedence. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BacktestOptions, BookOptions, TapeOptions } from '../../run/backtest-options.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { EACH_BOOK_READING, EACH_READING, type GivenReading } from '../../runtime/settings/tape-reading.ts'
import type { PortfolioOptions } from '../../run/portfolio.ts'
import type { BacktestConfig, TapeConfig } from '../config/backtest-config.ts'
import { riskOf, type StrategyConfig } from '../config/session-sections.ts'

/**
 * @param file   content of the config file
 * @param flags  its parameters are texts, which the schema of the strategy parses
 * @throws {InputError} for missing and for contradictory settings
 */
export function optionsOf(file: BacktestConfig, flags: BacktestConfig): BacktestOptions {
  const config: BacktestConfig = { ...file, ...flags }
  const { strategy, bounds } = config
  if (strategy === undefined)
    throw new InputError('backtest', 'missing strategy: give a file, or a name from `papertape strategies`')
  return {
    strategy,
    params: file.params,
    paramTexts: flags.params as Readonly<Record<string, string>> | undefined,
    ...sharedOptions(config),
    bounds,
  }
}

/** Options of a backtest that all strategies of a portfolio share. */
const sharedOptions = (config: BacktestConfig): Omit<PortfolioOptions, 'strategies' | 'onLog'> => ({
  tapes: tapesOf(config),
  books: booksOf(config),
  ...(config.series !== undefined && { series: config.series }),
  credits: config.credit,
  ...termOptions(config),
  out: config.out,
  force: config.force,
})

/**
 * Options of the strategies of a config file on one wallet.
 *
 * @throws {InputError} for a setting that belongs to one strategy, or that a portfolio does not have
 */
export function portfolioOptionsOf(
  file: BacktestConfig,
  strategies: readonly StrategyConfig[],
  flags: BacktestConfig,
): PortfolioOptions {
  const config: BacktestConfig = { ...file, ...flags }
  if (flags.params !== undefined)
    throw new InputError('--param', 'several strategies run: set the params of each in the config file')
  if (config.db !== undefined) throw new InputError(setting('db'), 'stores runs of one strategy; use --out')
  return {
    ...sharedOptions(config),
    walletRisk: config.walletRisk,
    rebalance: config.rebalance,
    strategies: strategies.map((each) => ({
      strategy: each.use,
      name: each.name,
      params: each.params,
      capital: each.capital,
      risk: riskOf(each),
    })),
  }
}

/** The terms of the run, each at its path in the options. */
function termOptions(config: BacktestConfig): Readonly<Record<string, unknown>> {
  const groups: Record<string, Record<string, unknown>> = {}
  const single: Record<string, unknown> = {}
  for (const [name, { option, key }] of EACH_TERM) {
    const [group = '', inner = name === 'liquidity' ? 'model' : undefined] = option.split('.')
    if (inner === undefined) single[group] = config[key]
    else (groups[group] ??= {})[inner] = config[key]
  }
  return { ...single, ...groups }
}

function tapesOf(config: BacktestConfig): readonly TapeOptions[] {
  const given = config.tape === undefined ? [] : [config.tape].flat()
  if (given.length === 0 && config.depth === undefined)
    throw new InputError(setting('tapes'), 'missing tape: pass --tape [SYMBOL=]FILE')
  if (given.length > 1 && config.symbol !== undefined) {
    throw new InputError('--symbol', 'works with a single tape; with several, write --tape SYMBOL=FILE for each')
  }
  return given.map((tape) => tapeOf(tape, config))
}

function booksOf(config: BacktestConfig): readonly BookOptions[] {
  const given = config.depth === undefined ? [] : [config.depth].flat()
  const said = readingOf(config, OF_ALL_BOOKS)
  return given.map((books) => {
    const own = typeof books === 'string' ? namedFile(books) : books
    return { file: own.file, ...said, ...readingOf(own, EACH_BOOK_READING) }
  })
}

/** Settings for all books: each book has its own symbol. */
const OF_ALL_BOOKS = EACH_BOOK_READING.filter(([name]) => name !== 'symbol')

/** Settings of a tape take precedence over those for all tapes. */
function tapeOf(given: TapeConfig, config: BacktestConfig): TapeOptions {
  const own = typeof given === 'string' ? namedFile(given) : given
  if (own.symbol !== undefined && config.symbol !== undefined && own.symbol !== config.symbol) {
    throw new InputError('--symbol', `'${config.symbol}' contradicts the symbol of the tape, '${own.symbol}'`)
  }
  return { file: own.file, ...readingOf(config), ...readingOf(own) }
}

/** Only the given settings. */
const readingOf = (said: GivenReading, readings = EACH_READING): GivenReading =>
  Object.fromEntries(readings.flatMap(([name]) => (said[name] === undefined ? [] : [[name, said[name]]])))

/** `SYMBOL=FILE`, or `FILE`; a path may contain an equals sign after its first slash. */
export function namedFile(text: string): { readonly file: string; readonly symbol?: string } {
  const [, symbol, file] = /^([^=/\\]+)=(.+)$/.exec(text) ?? []
  return symbol === undefined || file === undefined ? { file: text } : { symbol, file }
}
