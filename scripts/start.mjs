/**
 * `npm start`: a first backtest, on a week of the bundled tape.
 */
import { fileURLToPath } from 'node:url'
import './fresh-bundle.mjs'

const [node = 'node', , ...flags] = process.argv
const main = new URL('../bundle/cli/main.js', import.meta.url)
process.chdir(fileURLToPath(new URL('../', import.meta.url)))
// The tape has thirty days, which take twice as long.
const week = flags.some((flag) => /^--(?:from|to)(?:=|$)/.test(flag)) ? [] : ['--to', '2024-01-08']
process.argv = [
  ...[node, fileURLToPath(main), 'backtest', 'grid', '--tape', 'BTC_USD=data/btc_usd.csv.gz'],
  ...week,
  ...flags,
]
await import(main.href)
