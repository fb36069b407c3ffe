/**
 * A sweep from a program: nine parameter combinations, ranked by Sharpe ratio and drawdown, and an assessment of the
 * best.
 *
 * The combinations run in threads that share one decoded tape. Set `out` to resume an interrupted sweep.
 */
import { sweep } from 'papertape/run'

const { points, ranked, report } = await sweep({
  strategy: 'sma-cross',
  tapes: { BTC_USD: 'data/btc_usd.csv.gz' },
  params: { fast: '5..15/5', slow: [20, 40, 80] },
  fixed: { interval: '1h' },
  where: 'fast < slow',
  fees: { takerBps: '5' },
  objective: ['sharpe', 'maxDrawdown'],
})

/** @param {number | null | undefined} share */
const percent = (share) => `${((share ?? 0) * 100).toFixed(2)} %`.padStart(8)

console.log('fast  slow    sharpe    return  drawdown  orders')
for (const { params, statistics, orders } of ranked) {
  const sharpe = statistics?.sharpe?.toFixed(2) ?? '-'
  const cells = [sharpe.padStart(8), percent(statistics?.return), percent(statistics?.maxDrawdown)]
  console.log(
    `${params.fast?.padStart(4)}  ${params.slow?.padStart(4)}  ${cells.join('  ')}  ${String(orders).padStart(6)}`,
  )
}
console.log(`\n${ranked.length} of ${points.length} combinations ranked, ${report.front.length} on the Pareto front`)
for (const sentence of report.verdict?.text ?? []) console.log(`- ${sentence}`)
