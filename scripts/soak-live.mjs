/**
 * Runs `papertape live`, or `paper`, before a market behind a proxy that does harm by a seed, and holds its files
 * against the service:
 * `npm run soak:live -- --minutes 15 [--seed N] [--episodes N] [--jobs N] [--paper]`.
 *
 * Each episode has a seed of its own, from N on, by which it can be repeated. What a seed does not decide is how the
 * machine's scheduler interleaves requests and events, so run a miss several times before calling it fixed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'

const MINUTES = 15
const JOBS = 2
const CHAOS_MS = 35_000
const SEEDS = 2 ** 29

const number = /** @type {const} */ ({ type: 'string' })
const flag = /** @type {const} */ ({ type: 'boolean', default: false })
const { values } = parseArgs({
  options: { minutes: number, seed: number, episodes: number, jobs: number, paper: flag, 'drop-fill': flag },
})
const minutes = Number(values.minutes ?? MINUTES)
const first = Number(values.seed ?? Date.now() % SEEDS)
const most = Number(values.episodes ?? Infinity)
const jobs = Number(values.jobs ?? JOBS)
if (!(minutes > 0) || !(most > 0) || !(jobs > 0) || !Number.isSafeInteger(first) || first < 0 || first >= SEEDS) {
  throw new RangeError('usage: npm run soak:live -- [--minutes N] [--seed N] [--episodes N] [--jobs N] [--paper]')
}

const { soakEpisode } = await import('../test/cli/live/rig/soak/soak-episode.ts')
const folder = mkdtempSync(join(tmpdir(), 'papertape-soak-live-'))
const end = performance.now() + minutes * 60_000
const total = { orders: 0, fills: 0, requests: 0, faults: 0, kills: 0, sleeps: 0 }
const words = (/** @type {typeof total} */ counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
let begun = 0
let misses = 0

console.log(`seed ${first}`)

async function work() {
  while (performance.now() < end && begun < most) {
    const seed = first + begun
    begun += 1
    const at = join(folder, String(seed))
    const settings = { seed, folder: at, chaosMs: CHAOS_MS, isPaper: values.paper, dropsFill: values['drop-fill'] }
    const report = await soakEpisode(settings)
    for (const name of /** @type {(keyof typeof total)[]} */ (Object.keys(total))) total[name] += report.counts[name]
    misses += report.misses.length
    console.log(`seed ${seed}: ${report.misses.length} misses; ${words(report.counts)}`)
    if (report.misses.length === 0) rmSync(at, { recursive: true })
    else {
      for (const miss of report.misses) console.log(`- ${miss}`)
      console.log(`  events: ${report.explanation.join('; ')}`)
      console.log(`  files: ${at}`)
      console.log(`  repeat: npm run soak:live -- --seed ${seed} --episodes 1${values.paper ? ' --paper' : ''}`)
    }
  }
}

await Promise.all(Array.from({ length: jobs }, work))
if (misses === 0) rmSync(folder, { recursive: true })
console.log(`${begun} episodes: ${words(total)}; ${misses} misses`)
process.exitCode = misses === 0 ? 0 : 1
