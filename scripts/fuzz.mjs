/**
 * Looks for what is wrong for as long as one likes. `npm run fuzz -- --commands N --seed S` drives the exchange and its
 * naive twin with random commands; `npm run fuzz -- candles --policies N --candles N --seed S` looks for a policy that
 * earns on driftless candles.
 *
 * Prints the seed, so that any run can be had again. When something is wrong it prints the one command that repeats it,
 * for the exchange with the fewest commands that show it, and exits with 1.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'

const USAGE = `usage: npm run fuzz -- [--commands N] [--seed S]
       npm run fuzz -- candles [--policies N] [--candles N] [--seed S]`
const COMMANDS = 1_000_000
const POLICIES = 500
const CANDLES = 2_000
const SEEDS = 2 ** 32

/**
 * @param {string | undefined} text
 * @param {{ flag: string, least: number, most: number, otherwise: number }} range
 */
function integer(text, { flag, least, most, otherwise }) {
  if (text === undefined) return otherwise
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw new RangeError(`--${flag}: expected an integer from ${least} to ${most}, got '${text}'`)
}

/** @param {string | undefined} text */
const seedOf = (text) => integer(text, { flag: 'seed', least: 0, most: SEEDS - 1, otherwise: Date.now() % SEEDS })

/** @param {string[]} args */
function exchangeSettings(args) {
  const { values } = parseArgs({ args, options: { commands: { type: 'string' }, seed: { type: 'string' } } })
  const most = Number.MAX_SAFE_INTEGER
  return {
    commands: integer(values.commands, { flag: 'commands', least: 1, most, otherwise: COMMANDS }),
    seed: seedOf(values.seed),
  }
}

/** @param {string[]} args */
function candleSettings(args) {
  const options = /** @type {const} */ ({
    policies: { type: 'string' },
    candles: { type: 'string' },
    seed: { type: 'string' },
  })
  const { values } = parseArgs({ args, options })
  return {
    policies: integer(values.policies, { flag: 'policies', least: 1, most: 1e6, otherwise: POLICIES }),
    // Fewer are not a sample.
    candles: integer(values.candles, { flag: 'candles', least: 100, most: 1e6, otherwise: CANDLES }),
    seed: seedOf(values.seed),
  }
}

/** @param {string} line */
const print = (line) => console.log(line)

/** @param {string} line */
const progress = (line) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${line}`)

/** The run that is asked for. */
function asked() {
  const [mode, ...rest] = process.argv.slice(2)
  if (mode === 'candles') {
    const settings = candleSettings(rest)
    return async () => {
      const { fuzzCandles } = await import('../test/simulation/candles/rig/driftless/fuzz-candles.ts')
      return fuzzCandles(settings, { print, progress })
    }
  }
  const settings = exchangeSettings(process.argv.slice(2))
  return async () => {
    const { fuzz } = await import('../test/exchange/rig/fuzz.ts')
    return fuzz(settings, { now: () => performance.now(), print, progress })
  }
}

/** Faults of the flags are reported without a stack. */
function askedOrUsage() {
  try {
    return asked()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    return undefined
  }
}

const run = askedOrUsage()
if (run === undefined) process.exitCode = 2
else process.exitCode = (await run()) ? 0 : 1
