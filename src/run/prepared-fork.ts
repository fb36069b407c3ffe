/** A fork, as its report has it, ready to run. */
import { isDeepStrictEqual } from 'node:util'
import { InputError } from '../domain/errors.ts'
import { type MarketFees, parseFeeRate } from '../domain/market.ts'
import type { ForkReport, ForkTerms, RunReport } from '../report/run/run-report.ts'
import { forkText } from '../report/run/fork-text.ts'
import { checkModelForCandles } from '../runtime/backtest/candle-tapes.ts'
import { type Fork, forkedBacktest, forkHooks } from '../runtime/backtest/fork.ts'
import { checkModelForBooks, chooseLiquidity, type LiquidityChoice } from '../runtime/backtest/liquidity-choice.ts'
import type { PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { RunHooks } from '../runtime/backtest/simulated-run.ts'
import { riskLimitsOf, termsThatAreOn } from '../runtime/settings/risk-limits.ts'
import { placeOf, type RunTerms } from '../runtime/settings/run-terms.ts'
import { readParams } from '../runtime/strategies/params.ts'
import { loadStrategy } from '../runtime/strategies/strategy-file.ts'
import { isLiquidityName, liquidity } from '../simulation/liquidity/liquidity-models.ts'
import { noticesIn, listOf } from '../tape/notices.ts'

export interface PreparedFork {
  readonly forked: PreparedBacktest
  /** True after the run if its strategy was changed, wanted orders before the moment and none later. */
  readonly isSilent: () => boolean
  readonly hooks: RunHooks
}

/** Tag of the order that a fork adds. */
export const ADDED_TAG = 'fork'

/**
 * @param isCached  false to compile its files again
 * @throws {InputError} if its strategy changed, or refuses its parameters
 */
export async function preparedFork(
  prepared: PreparedBacktest,
  report: ForkReport,
  isCached: boolean,
): Promise<PreparedFork> {
  const { at, params, strategy, isRestarted, without, added, orderLatencyMs, responseLatencyMs, terms } = report
  const loaded = strategy === undefined ? prepared.loaded : await loadStrategy(strategy.path ?? strategy.file, isCached)
  if (strategy !== undefined && strategy.sha256 !== loaded.sha256) {
    const hashes = `expected sha256 ${strategy.sha256 ?? 'none'}, got ${loaded.sha256 ?? 'none'}`
    throw new InputError(strategy.path ?? strategy.file, `has changed: ${hashes}`)
  }
  const values = params ?? prepared.params
  const isOther = params !== undefined || strategy !== undefined || isRestarted
  const symbol = prepared.markets[0]?.symbol ?? ''
  const own = { strategy: loaded.strategy, params: readParams(loaded.strategy, { texts: {}, values, symbol }) }
  const later = { ...own, startsThen: isRestarted === true }
  const latencies = { orderLatencyMs, responseLatencyMs }
  const fork = {
    at,
    ...(isOther === true && { later }),
    without: without?.ref,
    added: added && { ...added, tag: ADDED_TAG },
    ...latencies,
    ...(await laterTerms(prepared, terms, isCached)),
  }
  const { forked, isSilent } = forkedBacktest(prepared, fork)
  return { forked, isSilent, hooks: forkHooks(prepared, fork) }
}

/** Only those that differ: a term that stays changes nothing at the moment. */
async function laterTerms(
  prepared: PreparedBacktest,
  { liquidity, liquiditySha256, ...others }: ForkTerms = {},
  isCached: boolean,
): Promise<Pick<Fork, 'fees' | 'liquidity' | 'risk'>> {
  const { settings } = prepared
  // None of them is there as undefined.
  const terms = { ...settings, ...others } as RunTerms
  const model = liquidity === undefined ? prepared.liquidity : await laterLiquidity(prepared, liquidity, isCached)
  if (liquiditySha256 !== undefined && model.sha256 !== liquiditySha256) {
    const hashes = `expected sha256 ${liquiditySha256 ?? 'none'}, got ${model.sha256 ?? 'none'}`
    throw new InputError(model.reference, `has changed: ${hashes}`)
  }
  const isOtherModel = model.reference !== prepared.liquidity.reference || model.sha256 !== prepared.liquidity.sha256
  const [risk, before] = [riskLimitsOf(terms), riskLimitsOf(settings)]
  return {
    ...(rateOf(terms, 'makerFeeBps') !== rateOf(settings, 'makerFeeBps') && { fees: terms }),
    ...(rateOf(terms, 'takerFeeBps') !== rateOf(settings, 'takerFeeBps') && { fees: terms }),
    ...(isOtherModel && { liquidity: model }),
    ...(!isDeepStrictEqual(termsThatAreOn(risk), termsThatAreOn(before)) && { risk }),
  }
}

const rateOf = (fees: MarketFees, name: keyof MarketFees): bigint => parseFeeRate(placeOf(name), fees[name])

/** @throws {InputError} if there is no such model, or the recordings do not have what it needs */
export async function laterLiquidity(
  { inspectedBooks, candleTapes }: PreparedBacktest,
  reference: string,
  isCached: boolean,
): Promise<LiquidityChoice> {
  const model = await chooseLiquidity(reference, isCached)
  checkModelForBooks(model, inspectedBooks)
  checkModelForCandles(model, candleTapes)
  return model
}

const SILENT =
  'From the moment of the fork on, the strategy wanted no order, but it had before. It may wait for orders that were ' +
  'dropped then: start it at the moment with --restart.'

/** The report of its run. */
export function forkedReport(report: RunReport, fork: ForkReport): RunReport {
  const { warnings, notes } = noticesIn(report)
  const silent = fork.isSilent === true ? [SILENT] : []
  const model = fork.terms?.liquidity ?? ''
  const caution = isLiquidityName(model) ? liquidity(model).caution : ''
  const later = caution === '' || warnings.includes(caution) ? [] : [caution]
  const named = { warnings: [...silent, ...later, ...warnings], notes: [forkText(fork, report), ...notes] }
  return { ...report, fork, ...listOf(named) }
}
