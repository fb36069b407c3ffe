/**
 * Config and flags as the settings of a run: flags over file, defaults under both.
 */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BacktestSettings } from '../../runtime/settings/backtest-settings.ts'
import { EACH_TERM, resolveTerms, type GivenTerms } from '../../runtime/settings/run-terms.ts'
import { EACH_READING, resolveReading, type GivenReading } from '../../runtime/settings/tape-reading.ts'
import type { TapeSource } from '../../store/tape-source.ts'
import type { BacktestConfig, TapeConfig } from './backtest-config.ts'

/**
 * @param file   the config file's
 * @param flags  parameters in it are texts, which the strategy's schema reads
 * @throws {InputError} for what is missing, and for what does not go together
 */
export function settingsOf(file: BacktestConfig, flags: BacktestConfig): BacktestSettings {
  const config: BacktestConfig = { ...file, ...flags }
  const { strategy } = config
  if (strategy === undefined)
    throw new InputError('backtest', 'expected a strategy: the name of a ready one, or a file')
  return {
    strategy,
    params: file.params ?? {},
    paramTexts: (flags.params ?? {}) as Readonly<Record<string, string>>,
    tapes: tapesOf(config),
    credit: config.credit ?? {},
    ...resolveTerms(givenTerms(config)),
  }
}

/** The terms by their names; the config was checked, so that each is in its form. */
const givenTerms = (config: BacktestConfig): GivenTerms =>
  Object.fromEntries(EACH_TERM.map(([name, { key }]) => [name, config[key]]))

function tapesOf(config: BacktestConfig): readonly TapeSource[] {
  const given = config.tape === undefined ? [] : [config.tape].flat()
  if (given.length === 0) throw new InputError(setting('tapes'), 'expected a recorded market, [SYMBOL=]FILE')
  if (given.length > 1 && config.symbol !== undefined) {
    throw new InputError('--symbol', 'names the market of a single tape; with several, write SYMBOL=FILE for each')
  }
  return given.map((tape) => tapeOf(tape, config))
}

/** What is said of the one tape wins over what is said of all. */
function tapeOf(given: TapeConfig, config: BacktestConfig): TapeSource {
  const own = typeof given === 'string' ? namedFile(given) : given
  if (own.symbol !== undefined && config.symbol !== undefined && own.symbol !== config.symbol) {
    throw new InputError('--symbol', `'${config.symbol}' is not what the tape is said to be, '${own.symbol}'`)
  }
  return { file: own.file, ...resolveReading({ ...readingOf(config), ...readingOf(own) }) }
}

/** Only what is there. */
const readingOf = (said: GivenReading): GivenReading =>
  Object.fromEntries(EACH_READING.flatMap(([name]) => (said[name] === undefined ? [] : [[name, said[name]]])))

/** `SYMBOL=FILE`, or `FILE`; a path may have an equals sign behind its first slash. */
export function namedFile(text: string): { readonly file: string; readonly symbol?: string } {
  const [, symbol, file] = /^([^=/\\]+)=(.+)$/.exec(text) ?? []
  return symbol === undefined || file === undefined ? { file: text } : { symbol, file }
}
