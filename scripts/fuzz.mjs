/**
 * Drives the exchange and its naive twin with random commands for as long as one likes: `npm run fuzz -- --commands N --seed S`.
 *
 * Prints the seed, so that any run can be had again. On a difference it prints the one command that repeats it and the fewest
 * commands that show it, and exits with 1.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'

const USAGE = 'usage: npm run fuzz -- [--commands N] [--seed S]'
const COMMANDS = 1_000_000
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

function settings() {
  const { values } = parseArgs({ options: { commands: { type: 'string' }, seed: { type: 'string' } } })
  return {
    commands: integer(values.commands, {
      flag: 'commands',
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
      otherwise: COMMANDS,
    }),
    seed: integer(values.seed, { flag: 'seed', least: 0, most: SEEDS - 1, otherwise: Date.now() % SEEDS }),
  }
}

/** @param {(line: string) => void} progress */
const edge = (progress) => ({
  now: () => performance.now(),
  progress,
  /** @param {string} line */
  print: (line) => console.log(line),
})

/** What is wrong with the flags is told without a stack. */
function settingsOrUsage() {
  try {
    return settings()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    return undefined
  }
}

const asked = settingsOrUsage()
if (asked === undefined) process.exitCode = 2
else {
  const { fuzz } = await import('../test/exchange/rig/fuzz.ts')
  const { isTTY } = process.stderr
  process.exitCode = fuzz(
    asked,
    edge((line) => isTTY && process.stderr.write(`\r\x1b[K${line}`)),
  )
    ? 0
    : 1
}
