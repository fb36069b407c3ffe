/**
 * Lets the emulator run with everything on it at once, and looks at times and memory minute by minute: `npm run soak --
 * --minutes 15`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const MINUTES = 15

const { values } = parseArgs({ options: { minutes: { type: 'string' } } })
const minutes = Number(values.minutes ?? MINUTES)
if (!(minutes > 0)) throw new RangeError('usage: npm run soak -- [--minutes N]')

const { soakRun } = await import('../test/server/rig/soak/soak-run.ts')
const folder = mkdtempSync(join(tmpdir(), 'papertape-soak-'))
/** @param {number} ms */
const tenths = (ms) => ms.toFixed(1)
const { faults, orders, events, attacks, closingMs } = await soakRun({
  seconds: minutes * 60,
  folder,
  onMinute: ({ minute, requests, p50, p99, most, heapMb, rssMb }) => {
    const times = `p50 ${tenths(p50)}, p99 ${tenths(p99)}, most ${tenths(most)} ms`
    console.log(`${minute}: ${requests} calm requests, ${times}; heap ${tenths(heapMb)}, resident ${tenths(rssMb)} MB`)
  },
})
console.log(`${orders} orders, ${events} events, ${attacks} attacks; closed within ${Math.round(closingMs)} ms`)
console.log(`${faults.length} faults`)
for (const fault of faults) console.log(fault)
if (faults.length === 0) rmSync(folder, { recursive: true })
else console.log(`the state is kept in ${folder}`)
process.exitCode = faults.length === 0 ? 0 : 1
