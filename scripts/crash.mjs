/**
 * Kills a service that keeps its state in a file, under load, at random moments: `npm run crash -- --kills N --seed S`.
 *
 * With `--damage` what each kill left is opened with its log cut, gone, and with another bit; with `--virtual` it is an
 * emulator under a virtual clock. Prints the seed; the choices of a run can be had again, the moments only roughly.
 * With `--serve FILE` or
 * `--serve-virtual FILE` it is the service itself.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const KILLS = 200
const SEEDS = 2 ** 32

async function crash() {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string' },
      seed: { type: 'string' },
      damage: { type: 'boolean' },
      virtual: { type: 'boolean' },
      serve: { type: 'string' },
      'serve-virtual': { type: 'string' },
    },
  })
  const { damage: isDamaged = false, virtual: isVirtual = false, 'serve-virtual': virtualFile } = values
  if (virtualFile !== undefined) {
    const { serveVirtual } = await import('../test/server/rig/virtual-server.ts')
    await serveVirtual(virtualFile)
    return
  }
  if (values.serve !== undefined) {
    const { serveState } = await import('../test/server/rig/state-server.ts')
    await serveState(values.serve)
    return
  }
  const rounds = Number(values.kills ?? KILLS)
  const seed = Number(values.seed ?? Date.now() % SEEDS)
  if (
    !Number.isSafeInteger(rounds) ||
    rounds < 1 ||
    !Number.isSafeInteger(seed) ||
    seed < 0 ||
    seed >= SEEDS ||
    (isDamaged && isVirtual)
  ) {
    throw new RangeError('usage: npm run crash -- [--kills N] [--seed S] [--damage | --virtual]')
  }
  console.log(`seed ${seed}`)
  const folder = mkdtempSync(join(tmpdir(), 'papertape-crash-'))
  const { isTTY } = process.stderr
  const settings = {
    rounds,
    seed,
    file: join(folder, 'state.db'),
    /** @param {string} line */
    progress: (line) => isTTY && process.stderr.write(`\r\x1b[K${line}`),
  }
  const faults = isVirtual
    ? await killVirtual(settings)
    : await kill({ ...settings, damagedLogs: isDamaged ? rounds : 0 })
  for (const fault of faults.slice(0, 10)) console.log(fault)
  if (faults.length === 0) rmSync(folder, { recursive: true })
  else console.log(`the state is kept in ${folder}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

/** @param {import('../test/server/rig/virtual-run.ts').VirtualRunSettings} settings */
async function killVirtual(settings) {
  const { virtualRun } = await import('../test/server/rig/virtual-run.ts')
  const { kills, faults, orders, keys, revoked, requests } = await virtualRun(settings)
  console.log(`${kills} kills under a virtual clock, ${faults.length} faults`)
  console.log(`${orders} orders, ${keys} keys, ${revoked} of them revoked, ${requests} request ids`)
  return faults
}

/** @param {import('../test/server/rig/crash-run.ts').CrashRunSettings} settings */
async function kill(settings) {
  const { crashRun } = await import('../test/server/rig/crash-run.ts')
  const { kills, faults, orders, logs, startsMs } = await crashRun(settings)
  /** @param {number} fraction */
  const startMs = (fraction) =>
    Math.round(startsMs[Math.min(startsMs.length - 1, Math.floor(startsMs.length * fraction))] ?? 0)
  console.log(`${kills} kills, ${orders} orders acknowledged, ${faults.length} faults`)
  console.log(`from the start of the process to listening: median ${startMs(0.5)} ms, longest ${startMs(1)} ms`)
  if (settings.damagedLogs)
    console.log(`damaged logs: ${logs.refused} refused by name, ${logs.whole} with nothing lost`)
  return faults
}

await crash()
