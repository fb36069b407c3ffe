/**
 * `npm start`: a first backtest, on a week of the bundled tape.
 */
import { fileURLToPath } from 'node:url'
import './fresh-bundle.mjs'

const [node = 'node', , ...flags] = process.argv
const main = new URL('../bundle/cli/main.js', import.meta.url)
process.chdir(fileURLToPath(new URL('../', import.meta.url)))
process.argv = [
  ...[node, fileURLToPath(main), 'backtest', 'grid', '--tape', 'BTC_USD=data/btc_usd.csv.gz', '--to', '2024-01-08'],
  ...flags,
]
await import(main.href)
