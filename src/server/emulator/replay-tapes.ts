/**
 * Recorded markets made ready to be replayed: inspected, their markets known, what the crowd shows in them said.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import type { MarketConfig } from '../../domain/market.ts'
import { setupsOf } from '../../runtime/backtest/liquidity-setups.ts'
import { recordedMarkets } from '../../runtime/backtest/recorded-markets.ts'
import { IdealLiquidity } from '../../simulation/liquidity/ideal.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { DEFAULT_LIQUIDITY, liquidity } from '../../simulation/liquidity/liquidity-models.ts'
import { inspectTape } from '../../store/tapes/inspect-tape.ts'
import { openTape } from '../../store/tapes/open-tape.ts'
import type { InspectedTape, TapeSource } from '../../store/tape-source.ts'
import type { PlayedTape } from '../../simulation/replay/tape-channel.ts'

export interface ReplayTapes {
  readonly markets: readonly MarketConfig[]
  readonly tapes: readonly PlayedTape[]
  /** Unix milliseconds of the first trade. */
  readonly from: number
  /** A fresh liquidity model for a market. */
  readonly modelOf: (symbol: string) => LiquidityModel
}

const NO_FEES = { makerFeeBps: '0', takerFeeBps: '0' }
const TERMS = { queueClips: 1, depthClips: 1, spread: null, staleAfterMs: null }

/**
 * Reads tapes through once, and opens them.
 *
 * @param given  markets with terms of their own, among them those of the tapes; undefined to make them of the tapes
 * @throws {InputError} for a tape that is wrong, that is of candles, or that is of none of the markets
 */
export async function prepareReplay(
  sources: readonly TapeSource[],
  given: readonly MarketConfig[] | undefined,
): Promise<ReplayTapes> {
  const inspected: InspectedTape[] = []
  for (const source of sources) inspected.push(tradesOnly(await inspectTape(source).catch(asReplay)))
  const markets = given ?? recordedMarkets(setting('replay'), inspected, NO_FEES)
  const isRecorded = ({ symbol }: MarketConfig): boolean => inspected.some(({ info }) => info.symbol === symbol)
  const setups = setupsOf(markets.filter(isRecorded), inspected, TERMS)
  const tapes = inspected.map((each): PlayedTape => {
    const tape = openTape(each, marketOf(each, markets))
    const setup = setups.get(tape.info.symbol)
    invariant(setup !== undefined, 'a recorded market has a setup')
    return { tape, longestSilenceMs: setup.terms.staleAfterMs, spread: setup.spread }
  })
  const modelOf = (symbol: string): LiquidityModel => {
    const setup = setups.get(symbol)
    // Where nothing was recorded the crowd has nothing to offer, whatever its model.
    return setup === undefined ? new IdealLiquidity() : liquidity(DEFAULT_LIQUIDITY).create(setup)
  }
  return { markets, tapes, from: Math.min(...inspected.map(({ info }) => info.from)), modelOf }
}

/** A tape is a setting of another name here, and has none of its own but its market. */
function asReplay(error: unknown): never {
  if (!(error instanceof InputError)) throw error
  throw error.renamed(({ path }) => (path === 'tapes' ? setting('replay') : undefined))
}

function tradesOnly(inspected: InspectedTape): InspectedTape {
  const { kind, file } = inspected.info
  if (kind === 'trades') return inspected
  const why = 'candles tell no trades between which the order of a user could be filled'
  throw new InputError(setting('replay'), `expected a tape of trades, got candles in ${file}: ${why}`)
}

function marketOf({ info }: InspectedTape, markets: readonly MarketConfig[]): MarketConfig {
  const market = markets.find(({ symbol }) => symbol === info.symbol)
  if (market !== undefined) return market
  const known = markets.map(({ symbol }) => symbol).join(', ')
  throw new InputError(info.file, `no market of the config is '${info.symbol}'; there is ${known}`)
}
