/**
 * grademark: crossing of two averages on one-minute candles, all cash each time. Arguments: candles FILE
 */
const console = require('node:console')
const process = require('node:process')
const { readFileSync } = require('node:fs')
// Installed into a folder of its own, not into the project.
const [{ DataFrame }, { backtest }] = ['data-forge', 'grademark'].map((name) => require(name))

const rows = readFileSync(process.argv[3], 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [time, open, high, low, close, volume] = line.split(',').map(Number)
    return { time: new Date(time), open, high, low, close, volume }
  })

/** @param {number} length */
function mean(length) {
  let sum = 0
  return rows.map(({ close }, index) => {
    sum += close - (rows[index - length]?.close ?? 0)
    return index < length - 1 ? undefined : sum / length
  })
}

const [fast, slow] = [mean(10), mean(30)]
rows.forEach((row, index) => Object.assign(row, { isAbove: slow[index] !== undefined && fast[index] > slow[index] }))
const trades = backtest(
  {
    entryRule: (enter, { bar }) => {
      if (bar.isAbove) enter()
    },
    exitRule: (exit, { bar }) => {
      if (!bar.isAbove) exit()
    },
  },
  new DataFrame(rows),
)
console.log(`${2 * trades.length} orders`)
