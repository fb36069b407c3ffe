/**
 * Symbols as exchanges spell them, brought into BASE_QUOTE.
 */
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { TapeSource } from '../tape-source.ts'

/**
 * Assets in which markets are quoted; of two that fit the longer one is meant, where that leaves a name of three
 * letters.
 */
const QUOTES = [
  ...['USDT', 'USDC', 'BUSD', 'FDUSD', 'TUSD', 'USDP', 'DAI', 'USD', 'EUR', 'GBP', 'JPY', 'TRY', 'BRL', 'AUD', 'CHF'],
  ...['CAD', 'KRW', 'BTC', 'XBT', 'ETH', 'BNB', 'SOL'],
].toSorted((one, other) => other.length - one.length)

const SEPARATED = /^([A-Za-z0-9]{1,12})[-/_: ]([A-Za-z0-9]{1,12})$/
const JOINED = /^[A-Za-z0-9]{4,20}$/

/**
 * `BTC-USD`, `btc/usd` and `BTCUSD` as `BTC_USD`; undefined for a text that may be anything else.
 *
 * A swap or a future, such as `BTC-USDT-SWAP`, is not the market of its name.
 */
export function symbolOf(text: string): string | undefined {
  const upper = text.trim().toUpperCase()
  const separated = SEPARATED.exec(upper)
  if (separated !== null) return `${separated[1] ?? ''}_${separated[2] ?? ''}`
  if (!JOINED.test(upper)) return undefined
  const fitting = QUOTES.filter((asset) => upper.endsWith(asset) && upper.length - asset.length >= 2)
  // XBTUSD is no market of TUSD: few assets have names of two letters.
  const quote = fitting.find((asset) => upper.length - asset.length > 2) ?? fitting[0]
  return quote === undefined ? undefined : `${upper.slice(0, -quote.length)}_${quote}`
}

/**
 * The market in the name of a file, where that follows the habit of an exchange: `BTCUSDT-trades-2024-01.csv`,
 * `btcusd_20161007_trade.zip`.
 */
export function symbolOfFileName(file: string): string | undefined {
  const name = file.replace(/^.*[\\/!]/, '').replace(/(?:\.(?:csv|json|jsonl|txt|gz|zip))+$/i, '')
  const [first = '', second = ''] = name.split(/[-_. ]/)
  const isDate = (text: string): boolean => /^\d{8}$/.test(text)
  const market = isDate(first) ? second : first
  return JOINED.test(market) && /[A-Za-z]{4}/.test(market) ? symbolOf(market) : undefined
}

/** For the user: what was made of another spelling. */
export const spellingNotice = (told: string, symbol: string): string =>
  `The market '${escapedExcerpt(told)}' of the recording is read as ${symbol}.`

/**
 * The rows that are wanted of a recording of several markets; undefined where all are, so that two markets are an
 * error.
 *
 * @param cells  the markets of its first rows, as it calls them
 */
export function wantedMarket(
  { market, symbol }: TapeSource,
  cells: readonly string[],
): ((cell: string) => boolean) | undefined {
  if (market !== undefined) return (cell) => cell === market
  const isWanted = (cell: string): boolean => cell === symbol || symbolOf(cell) === symbol
  return symbol !== undefined && cells.some(isWanted) ? isWanted : undefined
}
