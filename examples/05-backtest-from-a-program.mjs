/**
 * Backtests from a program: compares three lengths of a strategy's slow average.
 *
 * `backtest()` does the same as the command line and returns the report, orders, fills and equity.
 */
import { backtest } from 'papertape/run'

for (const slow of [20, 30, 60]) {
  const { statistics, digest, fills } = await backtest({
    strategy: 'sma-cross',
    params: { interval: '1h', fast: 10, slow },
    tapes: { BTC_USD: 'data/btc_usd.csv.gz' },
    credits: { USD: '10000' },
    fees: { makerBps: '2', takerBps: '5' },
    latency: { orderMs: 80 },
    bounds: false,
  })
  const made = ((statistics.return ?? 0) * 100).toFixed(2).padStart(6)
  console.log(`slow=${slow}  return ${made} %  ${String(fills.length).padStart(4)} fills  ${digest.slice(0, 19)}`)
}
