/**
 * `papertape fetch`: the history of a market from a service, a public archive or an exchange, into a database.
 */
import type { Options } from 'yargs'
import type { CliCommand } from '../cli-command.ts'
import { DB_FLAG, JSON_FLAG } from '../shared-flags.ts'

const text = (describe: string): Options => ({ type: 'string', requiresArg: true, describe })

export const FETCH_FLAGS = {
  candles: text('fetch candles of this length, such as 1m or 1h'),
  trades: { type: 'boolean', describe: 'fetch trades' },
  from: text('start of the history, inclusive: ISO 8601 or Unix ms'),
  to: text('end of the history, exclusive: ISO 8601 or Unix ms (default: now)'),
  url: text('base URL of a service; with another source, the address to use instead of its own'),
  db: { ...DB_FLAG, describe: 'database to fetch into, created if missing (default: papertape.db)' },
  json: JSON_FLAG,
  quiet: { type: 'boolean', describe: 'print only errors and warnings' },
} as const satisfies Readonly<Record<string, Options>>

export const fetchCommand: CliCommand = {
  command: 'fetch <markets..>',
  describe: 'download the history of a market into a database',
  builder: (yargs) =>
    yargs
      .positional('markets', {
        type: 'string',
        array: true,
        describe:
          'binance, binance:trades, coinbase or ccxt:EXCHANGE, then markets; with --url of a service only markets',
      })
      .options(FETCH_FLAGS)
      .example('$0 fetch binance BTC_USDT --trades --from 2024-01-01 --to 2024-01-08', '')
      .example('$0 fetch coinbase BTC_USD --candles 1m --from 2024-01-01', '')
      .example('$0 fetch ccxt:kraken BTC/USD --candles 1h --from 2024-01-01', '')
      .example('$0 fetch --url http://127.0.0.1:8080/v1 BTC_USD --candles 1m --trades --from 2024-01-01', ''),
  handler: async (values) => {
    const { fetchMarkets } = await import('./run-fetch-command.ts')
    return await fetchMarkets(values)
  },
}
