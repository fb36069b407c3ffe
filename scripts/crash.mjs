/**
 * Kills a service that keeps its state in a file, under load, at random moments: `npm run crash -- --kills N --seed S`.
 *
 * Prints the seed; the choices of a run can be had again, the moments only roughly. With `--serve FILE` it is the service itself.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const KILLS = 200
const SEEDS = 2 ** 32

async function crash() {
  const { values } = parseArgs({
    options: { kills: { type: 'string' }, seed: { type: 'string' }, serve: { type: 'string' } },
  })
  if (values.serve !== undefined) {
    const { serveState } = await import('../test/server/rig/state-server.ts')
    await serveState(values.serve)
    return
  }
  const rounds = Number(values.kills ?? KILLS)
  const seed = Number(values.seed ?? Date.now() % SEEDS)
  if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed) || seed < 0 || seed >= SEEDS) {
    throw new RangeError('usage: npm run crash -- [--kills N] [--seed S]')
  }
  process.exitCode = (await kill(rounds, seed)) ? 0 : 1
}

/**
 * @param {number} rounds
 * @param {number} seed
 */
async function kill(rounds, seed) {
  const { crashRun } = await import('../test/server/rig/crash-run.ts')
  console.log(`seed ${seed}`)
  const folder = mkdtempSync(join(tmpdir(), 'papertape-crash-'))
  const { isTTY } = process.stderr
  const report = await crashRun({
    rounds,
    seed,
    file: join(folder, 'state.db'),
    progress: (line) => isTTY && process.stderr.write(`\r\x1b[K${line}`),
  })
  const { kills, faults, orders, startsMs } = report
  /** @param {number} fraction */
  const startMs = (fraction) =>
    Math.round(startsMs[Math.min(startsMs.length - 1, Math.floor(startsMs.length * fraction))] ?? 0)
  console.log(`${kills} kills, ${orders} orders acknowledged, ${faults.length} faults`)
  console.log(`from the start of the process to listening: median ${startMs(0.5)} ms, longest ${startMs(1)} ms`)
  for (const fault of faults.slice(0, 10)) console.log(fault)
  if (faults.length === 0) rmSync(folder, { recursive: true })
  else console.log(`the state is kept in ${folder}`)
  return faults.length === 0
}

await crash()
