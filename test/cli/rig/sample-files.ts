/**
 * Small files that the tests of the command line run on.
 */

/** 2023-11-14T22:13:20Z, where the sample tapes begin. */
export const START = 1_700_000_000_000

/** Six trades in two minutes: prices of 2 decimals, quantities of 1. */
export const TRADES = `trade_id,time_ms,price,qty,is_buyer_maker
1,${START},100.00,1.5,false
2,${START + 1000},100.50,1.5,false
3,${START + 2000},100.25,1.5,true
4,${START + 3000},101.00,1.5,false
5,${START + 60_000},101.50,1.5,false
6,${START + 120_000},102.00,2,true
`

/** Terms under which every order fills whole at the last price, so that a test can say by hand what comes of it. */
export const IDEAL = ['--liquidity', 'ideal']

export interface SampleStrategy {
  readonly name?: string
  /** Body of `run`, whose context is taken apart into the names that are used below; returns intents. */
  readonly run: string
  /** More properties of the definition, each with a comma behind it. */
  readonly more?: string
  /** Fields of the z.object, beside `symbol`. */
  readonly params?: string
}

const CONTEXT =
  'params, market, trades, quotes, depth, book, series, candles, balance, outcomes$, buyMarket, sellMarket, buyLimit, sellLimit, log, now, random, state'

/** A strategy file in JavaScript that imports as a user's does. The body of `run` stands on line 10. */
export const strategySource = ({ name = 'sample', run, more = '', params = '' }: SampleStrategy): string =>
  `import { defineStrategy } from 'papertape'
import { catchError, concatMap, EMPTY, first, ignoreElements, interval, map, merge, NEVER, take, tap, timer, zip } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: '${name}',
  params: z.object({ symbol: z.string(), ${params} }),
  ${more}
  run: ({ ${CONTEXT} }) => {
${run}
  },
})
`

/** Line of the body of `run`. */
export const BODY_LINE = 10

/** Buys `qty` (default 1) at market after the first trade, and holds. */
export const BUY_AND_HOLD = strategySource({
  name: 'buy-and-hold',
  params: "qty: z.string().default('1')",
  run: 'return trades(params.symbol).pipe(first(), map(() => buyMarket(params.symbol, params.qty)))',
})
