/**
 * Backtests from a program: the same strategy with three lengths of its slow average, side by side.
 *
 * `backtest()` does what the command line does, and gives the report with its orders, fills and equity.
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
