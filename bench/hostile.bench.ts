/**
 * How long does everybody else wait while one socket sends as much as it can?
 *
 * Budget: 50 ms for the slowest request of a polite client on the same two cores, while another socket has sent 100 kB and 1 MB of stream
 * messages, or half a megabyte of pipelined requests. `npm run bench -- hostile`
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
for (const [kind, bytes] of ATTACKS) {
  const waits: number[] = []
  let longest = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = fork(client, [port, kind, String(bytes)])
    const [heard] = (await once(child, 'message')) as [{ most: number; seconds: number }]
    waits.push(heard.most)
    longest = Math.max(longest, heard.seconds)
    await once(child, 'exit')
  }
  waits.sort((a, b) => a - b)
  const [best = Number.NaN, worst = Number.NaN] = [waits[0], waits.at(-1)]
  console.log(
    `${kind}, ${bytes / 1000} kB: others wait at most ${best.toFixed(1)} to ${worst.toFixed(1)} ms; answered for ${longest.toFixed(1)} s`,
  )
}
await served.close()
