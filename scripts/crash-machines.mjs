/**
 * Kills workers of a sweep, and the Redis between them, and the sweep itself, while it runs:
 * `npm run crash:machines -- --points 500 --kill-seconds 5 --redis-seconds 5 [--forget]`, and holds its files against those of the same
 * sweep in threads.
 *
 * `--forget`: Redis has lost all it had when it is back.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const CANDLES = 40_000

async function crash() {
  const option = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({
    options: {
      points: option,
      workers: option,
      'kill-seconds': option,
      'redis-seconds': option,
      forget: { type: 'boolean' },
    },
  })
  const [points = 0, workers = 0, killSeconds = 0, redisSeconds = 0] = [
    values.points ?? 500,
    values.workers ?? 3,
    values['kill-seconds'] ?? 5,
    values['redis-seconds'] ?? 5,
  ].map(Number)
  if (
    !Number.isInteger(points) ||
    points < 1 ||
    !Number.isInteger(workers) ||
    !(killSeconds > 0) ||
    !(redisSeconds >= 0)
  ) {
    throw new RangeError(
      'usage: npm run crash:machines -- [--points N] [--workers N] [--kill-seconds N] [--redis-seconds N] [--forget]',
    )
  }
  const { candlesCsv, STEPPER_FILE } = await import('../test/run/sweep/rig.ts')
  const { crashMachines } = await import('../test/cli/machines/worker-crashes.ts')
  const folder = mkdtempSync(join(tmpdir(), 'papertape-crash-machines-'))
  const { isTTY } = process.stderr
  try {
    const [tape, strategy] = [join(folder, 'candles.csv'), join(folder, 'stepper.ts')]
    writeFileSync(tape, candlesCsv(CANDLES))
    writeFileSync(strategy, STEPPER_FILE)
    const { faults, ...counts } = await crashMachines({
      ...{ folder, workers, killMs: killSeconds * 1_000, redisAwayMs: redisSeconds * 1_000 },
      args: [
        strategy,
        '--tape',
        `A_USD=${tape}`,
        '--param',
        `every=20..${19 + Math.ceil(points / 10)}`,
        '--param',
        'hold=1..10',
      ],
      redisAfter: Math.ceil(points / 3),
      sweepAfter: Math.ceil((2 * points) / 3),
      isForgotten: values.forget === true,
      progress: (line) => isTTY && process.stderr.write(`\r\x1b[K${line}`),
    })
    if (isTTY) process.stderr.write('\r\x1b[K')
    console.log(`${JSON.stringify(counts)}, ${faults.length} faults`)
    for (const fault of faults) console.log(fault)
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await crash()
