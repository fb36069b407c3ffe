/** Prepares a paper session: the parts of a backtest, without tapes. */
import { InputError } from '../../domain/errors.ts'
import { parseFeeRate, type Market, type MarketConfig } from '../../domain/market.ts'
import { setting } from '../../domain/setting-name.ts'
import { checkModelForBooks, chooseLiquidity, liquidityOf, type LiquidityChoice } from '../backtest/liquidity-choice.ts'
import { setupsOf } from '../backtest/liquidity-setups.ts'
import { creditOf, type PreparedBacktest } from '../backtest/prepared-backtest.ts'
import type { BacktestSettings } from '../settings/backtest-settings.ts'
import { placeOf } from '../settings/run-terms.ts'
import type { ParamValues } from '../strategies/params.ts'
import type { LoadedStrategy } from '../strategies/strategy-file.ts'

/** Everything except the time at which it begins. */
export type PreparedPaper = Omit<PreparedBacktest, 'from' | 'to'>

export interface PaperSetup {
  /** Its tapes are ignored. */
  readonly settings: BacktestSettings
  readonly loaded: LoadedStrategy
  readonly params: ParamValues
  /** Markets as listed by the service; at least one. The first one's quote asset values the session. */
  readonly markets: readonly Market[]
}

/** @throws {InputError} for a model that follows a recorded book, because a service publishes none */
async function paperLiquidity(settings: Pick<BacktestSettings, 'liquidity'>): Promise<LiquidityChoice> {
  const choice = await chooseLiquidity(liquidityOf(settings))
  checkModelForBooks(choice, [])
  return choice
}

/** @throws {InputError} for every mistake in the user's input */
export async function preparePaper({ settings, loaded, params, markets }: PaperSetup): Promise<PreparedPaper> {
  const { makerFeeBps, takerFeeBps } = settings
  parseFeeRate(placeOf('makerFeeBps'), makerFeeBps)
  parseFeeRate(placeOf('takerFeeBps'), takerFeeBps)
  const [first] = markets
  if (first === undefined) throw new InputError(setting('symbol'), 'the service lists no market')
  const { quoteAsset } = first
  const traded = markets.map((market): MarketConfig => ({ ...market, makerFeeBps, takerFeeBps, selfTrade: 'allow' }))
  return {
    settings,
    loaded,
    params,
    liquidity: await paperLiquidity(settings),
    liquiditySetups: setupsOf(traded, settings),
    candleTapes: new Map(),
    inspected: [],
    inspectedBooks: [],
    inspectedSeries: [],
    tapes: [],
    books: [],
    markets: traded,
    quoteAsset,
    ...creditOf(settings.credit, traded, quoteAsset),
  }
}
