/** Symbols of exchanges, converted to BASE_QUOTE. */
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { TapeSource } from '../tape-source.ts'

/** Quote assets, longest first; the longest match that leaves three letters is chosen. */
const QUOTES = [
  ...['USDT', 'USDC', 'BUSD', 'FDUSD', 'TUSD', 'USDP', 'DAI', 'USD', 'EUR', 'GBP', 'JPY', 'TRY', 'BRL', 'AUD', 'CHF'],
  ...['CAD', 'KRW', 'BTC', 'XBT', 'ETH', 'BNB', 'SOL'],
].toSorted((one, other) => other.length - one.length)

const SEPARATED = /^([A-Za-z0-9]{1,12})[-/_: ]([A-Za-z0-9]{1,12})$/
const JOINED = /^[A-Za-z0-9]{4,20}$/

/**
 * `BTC-USD`, `btc/usd` and `BTCUSD` as `BTC_USD`; undefined for any other text.
 *
 * Swaps and futures, such as `BTC-USDT-SWAP`, are other markets.
 */
export function symbolOf(text: string): string | undefined {
  const upper = text.trim().toUpperCase()
  const separated = SEPARATED.exec(upper)
  if (separated !== null) return `${separated[1] ?? ''}_${separated[2] ?? ''}`
  if (!JOINED.test(upper)) return undefined
  const fitting = QUOTES.filter((asset) => upper.endsWith(asset) && upper.length - asset.length >= 2)
  // Prefers base assets of three letters: XBTUSD is not a TUSD market.
  const quote = fitting.find((asset) => upper.length - asset.length > 2) ?? fitting[0]
  return quote === undefined ? undefined : `${upper.slice(0, -quote.length)}_${quote}`
}

/**
 * The market in a file name that follows the convention of an exchange: `BTCUSDT-trades-2024-01.csv`,
 * `btcusd_20161007_trade.zip`.
 */
export function symbolOfFileName(file: string): string | undefined {
  const name = file.replace(/^.*[\\/!]/, '').replace(/(?:\.(?:csv|json|jsonl|txt|gz|zip))+$/i, '')
  const [first = '', second = ''] = name.split(/[-_. ]/)
  const isDate = (text: string): boolean => /^\d{8}$/.test(text)
  const market = isDate(first) ? second : first
  return JOINED.test(market) && /[A-Za-z]{4}/.test(market) ? symbolOf(market) : undefined
}

/** Notice about a converted symbol. */
export const spellingNotice = (reported: string, symbol: string): string =>
  `The market '${escapedExcerpt(reported)}' of the recording is read as ${symbol}.`

/**
 * Filter for one market of a recording with several; undefined to accept all, so that a second market is an error.
 *
 * @param cells  market names of the first rows
 */
export function wantedMarket(
  { market, symbol }: TapeSource,
  cells: readonly string[],
): ((cell: string) => boolean) | undefined {
  if (market !== undefined) return (cell) => cell === market
  const isWanted = (cell: string): boolean => cell === symbol || symbolOf(cell) === symbol
  return symbol !== undefined && cells.some(isWanted) ? isWanted : undefined
}
