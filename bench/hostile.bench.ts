/**
 * How long does everybody else wait while one socket sends as much as it can?
 *
 * Budget: 50 ms for the slowest request of a polite client on the same two cores, while another socket has sent 100 kB
 * and 1 MB of stream messages, or half a megabyte of pipelined requests. `npm run bench -- hostile`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { serveMarket } from './served-market.ts'

const ROUNDS = 3
const ATTACKS: readonly (readonly [kind: string, bytes: number])[] = [
  ['one-byte messages', 100_000],
  ['one-byte messages', 1_000_000],
  ['open braces', 1_000_000],
  ['valid subscriptions', 1_000_000],
  ['pings', 1_000_000],
  ['pipelined GET /x', 500_000],
  ['pipelined GET /v1/markets', 500_000],
  ['pipelined GET /v1/openapi.json', 500_000],
]

const client = fileURLToPath(new URL('./hostile-client.ts', import.meta.url))

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, the best and worst of ${ROUNDS} rounds`)
const served = await serveMarket(undefined)
const { port } = new URL(served.server.baseUrl)
/**
 * Milliseconds of processor in the longest turn of the event loop: what others wait for even when nothing else is on
 * the machine.
 */
function watchTurns(): () => number {
  let most = 0
  let before = process.cpuUsage()
  const look = (): void => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    most = Math.max(most, (user + system) / 1000)
  }
  const timer = setInterval(look, 1)
  return () => {
    clearInterval(timer)
    return most
  }
}

for (const [kind, bytes] of ATTACKS) {
  const waits: number[] = []
  const turns: number[] = []
  let longest = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const longestTurn = watchTurns()
    const child = fork(client, [port, kind, String(bytes)])
    const [heard] = (await once(child, 'message')) as [{ most: number; seconds: number }]
    waits.push(heard.most)
    turns.push(longestTurn())
    longest = Math.max(longest, heard.seconds)
    await once(child, 'exit')
  }
  waits.sort((a, b) => a - b)
  const [best = Number.NaN, worst = Number.NaN] = [waits[0], waits.at(-1)]
  turns.sort((a, b) => a - b)
  const [shortest = Number.NaN, longestTurn = Number.NaN] = [turns[0], turns.at(-1)]
  console.log(
    `${kind}, ${bytes / 1000} kB: others wait at most ${best.toFixed(1)} to ${worst.toFixed(1)} ms; longest turn ` +
      `${shortest.toFixed(1)} to ${longestTurn.toFixed(1)} ms of processor; answered for ${longest.toFixed(1)} s`,
  )
}
await served.close()
