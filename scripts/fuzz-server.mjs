/**
 * Sends any number of requests and stream messages that are nearly right, or not at all, to a served market:
 * `npm run fuzz:server -- --requests N --seed S`.
 *
 * Prints the seed, so that a run can be had again; what several clients do at once may come in another order. Exits
 * with 1 when an answer is not in its form, a 5xx is not a planned one, or a connection ends that should not.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'

const USAGE = 'usage: npm run fuzz:server -- [--requests N] [--seed S]'

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
  const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } })
  return {
    requests: integer(values.requests, { flag: 'requests', least: 1, most: 1e9, otherwise: 100_000 }),
    seed: integer(values.seed, { flag: 'seed', least: 0, most: 2 ** 31 - 1, otherwise: Date.now() % 2 ** 31 }),
  }
}

/** Faults of the flags are reported without a stack. */
function settingsOrUsage() {
  try {
    return settings()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`)
    return undefined
  }
}

/** @param {{ requests: number, seed: number }} asked */
async function run(asked) {
  const { fuzzServer } = await import('../test/server/rig/fuzz-server.ts')
  console.log(`seed ${asked.seed}`)
  const start = performance.now()
  const { sent, answersByStatus, failures, heap, rss } = await fuzzServer(asked, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${done} of ${asked.requests}`)
  })
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  const seconds = (performance.now() - start) / 1000
  const statuses = [...answersByStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`${sent} requests and messages in ${seconds.toFixed(0)} s\nanswers by status: ${statuses.join(', ')}`)
  console.log(
    `heap ${heap.map((megabytes) => megabytes.toFixed(0)).join(' -> ')} MB, whole process ${rss.toFixed(0)} MB`,
  )
  for (const failure of failures) console.log(`\nwrong: ${failure}`)
  return failures.length === 0
}

const asked = settingsOrUsage()
if (asked === undefined) process.exitCode = 2
else process.exitCode = (await run(asked)) ? 0 : 1
