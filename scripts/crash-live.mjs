/**
 * Kills a live account in mid-order, and the service under it, at random moments: `npm run crash:live -- --kills N
 * --outages M --seed S`.
 *
 * Prints the seed; the choices of a run can be had again, the moments only roughly. With `--bot JSON` it is the account
 * itself, with
 * `--waits JSON` a session in which orders wait, with `--serve JSON` the service.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const KILLS = 100
const OUTAGES = 50
const SEEDS = 2 ** 32

async function crash() {
  const option = /** @type {const} */ ({ type: 'string' })
  const options = { kills: option, outages: option, seed: option, bot: option, serve: option, waits: option }
  const { values } = parseArgs({ options })
  if (values.waits !== undefined) {
    const { runWaitingBot } = await import('../test/adapter/live/rig/waiting-bot.ts')
    await runWaitingBot(JSON.parse(values.waits))
  } else if (values.bot !== undefined) {
    const { runLiveBot } = await import('../test/adapter/live/rig/live-bot.ts')
    await runLiveBot(JSON.parse(values.bot))
  } else if (values.serve === undefined) {
    const counts = [values.kills ?? KILLS, values.outages ?? OUTAGES, values.seed ?? Date.now() % SEEDS].map(Number)
    const [kills = 0, outages = 0, seed = 0] = counts
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || seed >= SEEDS) {
      throw new RangeError('usage: npm run crash:live -- [--kills N] [--outages M] [--seed S]')
    }
    process.exitCode = (await killAll(kills, outages, seed)) ? 0 : 1
  } else {
    const { serveBots } = await import('../test/adapter/live/rig/crash-live-settings.ts')
    await serveBots(JSON.parse(values.serve))
  }
}

/**
 * @param {number} kills
 * @param {number} outages
 * @param {number} seed
 */
async function killAll(kills, outages, seed) {
  const { killBots, killServices } = await import('../test/adapter/live/rig/crash-live-run.ts')
  console.log(`seed ${seed}`)
  const { killWaits } = await import('../test/adapter/live/rig/crash-waits-run.ts')
  const { isTTY } = process.stderr
  /** @param {string} line */
  const progress = (line) => isTTY && process.stderr.write(`\r\x1b[K${line}`)
  let isRight = true
  for (const [run, rounds, what] of /** @type {const} */ ([
    [killBots, kills, 'of the account'],
    [killWaits, kills, 'of a session in which orders wait'],
    [killServices, outages, 'of the service'],
  ])) {
    const folder = mkdtempSync(join(tmpdir(), 'papertape-crash-live-'))
    const { faults, ...counts } = await run({ rounds, seed, folder, progress })
    console.log(`${rounds} kills ${what}: ${JSON.stringify(counts)}, ${faults.length} faults`)
    for (const fault of faults.slice(0, 10)) console.log(fault)
    if (faults.length === 0) rmSync(folder, { recursive: true })
    else console.log(`the state is kept in ${folder}`)
    isRight &&= faults.length === 0
  }
  return isRight
}

await crash()
