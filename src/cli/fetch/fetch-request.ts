/** The arguments of `papertape fetch` as options of a fetch. */
import { lengthMsOf } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { BINANCE_URL, BinanceArchive } from '../../run/fetch/binance-archive.ts'
import { COINBASE_URL, CoinbaseArchive } from '../../run/fetch/coinbase-archive.ts'
import type { FetchOptions, FetchSource } from '../../run/fetch/fetch.ts'
import { readTime } from '../../runtime/settings/form.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import { type FlagText, several, single } from '../option-values.ts'
import { serviceUrl } from '../service-url.ts'
import { storeOf } from '../shared-flags.ts'

export interface FetchRequest extends Pick<FetchOptions, 'symbols' | 'candles' | 'trades' | 'from' | 'to' | 'db'> {
  readonly source: FetchSource
  /** Name of the source, for people. */
  readonly sourceName: string
  readonly isJson: boolean
  readonly isQuiet: boolean
}

/** @throws {InputError} naming the invalid argument */
export function requestOf(values: FlagValues): FetchRequest {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const time = (flag: string): number | undefined => {
    const given = text(flag)
    return given === undefined ? undefined : readTime(`--${flag}`, given)
  }
  const [first = '', ...others] = several('markets', values.markets as FlagText)
  const named = namedSource(first, text('url'))
  const source = named ?? { type: 'service', url: serviceUrlOf(first, text('url')) }
  const symbols = named === undefined ? [first, ...others] : others.map(symbolOf)
  if (symbols.length === 0) throw new InputError('markets', `expected a market, such as ${first} BTC_USD`)
  const candles = text('candles')
  if (candles !== undefined) checkLength(candles)
  return {
    source,
    sourceName: source.type === 'service' ? source.url : first,
    symbols: [...new Set(symbols)],
    candles,
    trades: values.trades === true,
    from: time('from'),
    to: time('to'),
    db: storeOf(values.db),
    isJson: values.json === true,
    isQuiet: values.quiet === true,
  }
}

/** Undefined for a service. */
function namedSource(name: string, url: string | undefined): FetchSource | undefined {
  const at = (variable: string, usual: string): string => baseUrl(variable, url, usual)
  if (name === 'binance') return archive(new BinanceArchive(at('PAPERTAPE_BINANCE_URL', BINANCE_URL), 'aggTrades'))
  if (name === 'binance:trades') return archive(new BinanceArchive(at('PAPERTAPE_BINANCE_URL', BINANCE_URL), 'trades'))
  if (name === 'coinbase') return archive(new CoinbaseArchive(at('PAPERTAPE_COINBASE_URL', COINBASE_URL)))
  const [, id] = /^ccxt:(.+)$/.exec(name) ?? []
  return id === undefined ? undefined : { type: 'ccxt', id, url: url && serviceUrl(url), cwd: io.cwd }
}

const archive = (source: BinanceArchive | CoinbaseArchive): FetchSource => ({ type: 'archive', archive: source })

/** A flag comes before the environment. */
function baseUrl(variable: string, flag: string | undefined, usual: string): string {
  if (flag !== undefined) return serviceUrl(flag)
  const given = io.env[variable]
  if (given === undefined || given === '') return usual
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '')
  throw new InputError(variable, `expected an http or https URL, got '${given}'`)
}

function serviceUrlOf(first: string, url: string | undefined): string {
  if (url !== undefined) return serviceUrl(url)
  throw new InputError(
    'markets',
    `'${first}' is no source: give binance, binance:trades, coinbase or ccxt:EXCHANGE before the market, or --url of a service`,
  )
}

function symbolOf(market: string): string {
  const symbol = market.replace(/[/-]/, '_').toUpperCase()
  if (/^[A-Z0-9]+_[A-Z0-9]+$/.test(symbol)) return symbol
  throw new InputError('markets', `expected a market such as BTC_USD or BTC/USD, got '${market}'`)
}

function checkLength(candles: string): void {
  try {
    // Months have no length of their own.
    if (!candles.endsWith('M') && lengthMsOf(candles) > 0) return
  } catch (cause) {
    throw new InputError('--candles', `expected a length such as 1m, 1h or 1d, got '${candles}'`, { cause })
  }
  throw new InputError('--candles', 'monthly candles cannot be fetched: fetch 1d, and use candles of 1M in a strategy')
}
