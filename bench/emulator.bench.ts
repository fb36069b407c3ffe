/**
 * How long does a test of a bot wait for its exchange?
 *
 * Budget: `startEmulator()` in 20 ms once the process is warm, `reset()` in 5 ms. Beside them, in the same run, a bare
 * Fastify with one route that begins to listen. `npm run bench -- emulator`
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { fastify } from 'fastify'

const ROUNDS = 25

const spent = async (action: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await action()
  return performance.now() - before
}
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const reported = (name: string, ms: number): void => console.log(`${name.padEnd(44)} ${ms.toFixed(1).padStart(7)} ms`)

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, medians of ${ROUNDS}`)

const before = performance.now()
const { startEmulator } = await import('../src/emulator.ts')
reported('loading papertape/emulator', performance.now() - before)

const OPTIONS = { virtualClock: true, config: { agents: false } } as const
const AGENTS = { virtualClock: true } as const

async function startAndClose(options: typeof OPTIONS | typeof AGENTS): Promise<number> {
  const beginning = performance.now()
  const emulator = await startEmulator(options)
  const ms = performance.now() - beginning
  await emulator.close()
  return ms
}

async function bareFastify(): Promise<number> {
  const app = fastify()
  app.get('/', () => 'ok')
  const ms = await spent(() => app.listen({ host: '127.0.0.1', port: 0 }))
  await app.close()
  return ms
}

reported('first startEmulator()', await startAndClose(OPTIONS))
const [quiet, agents, bare]: [number[], number[], number[]] = [[], [], []]
for (let round = 0; round < ROUNDS; round += 1) {
  quiet.push(await startAndClose(OPTIONS))
  agents.push(await startAndClose(AGENTS))
  bare.push(await bareFastify())
}
reported('startEmulator() without agents', median(quiet))
reported('startEmulator() with agents', median(agents))
reported('a bare Fastify that begins to listen', median(bare))

for (const [name, options] of [
  ['without agents', OPTIONS],
  ['with agents', AGENTS],
] as const) {
  const emulator = await startEmulator(options)
  const [resets, firsts]: [number[], number[]] = [[], []]
  for (let round = 0; round < (options === AGENTS ? 5 : ROUNDS); round += 1) {
    firsts.push(await spent(() => emulator.audit()))
    resets.push(await spent(() => emulator.reset()))
  }
  reported(`reset() ${name}`, median(resets))
  reported(`the first question after it, ${name}`, median(firsts))
  await emulator.close()
}
