/**
 * The clients of the server's benchmark, in a process of their own: `streams` follows trades, `slow` dribbles requests
 * while one polite client asks. Speaks to its parent by messages.
 */
import { connect } from 'node:net'
import { WebSocket } from 'ws'

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Summary of a set of times, in milliseconds. */
const summary = (times: number[]): object => {
  times.sort((a, b) => a - b)
  return {
    count: times.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    most: times.at(-1) ?? Number.NaN,
  }
}

const said = (text: string): Promise<void> =>
  new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === text) resolve()
    })
  })

const TRADE_TIME = /"createdAt":(\d+)/

async function streams(url: string, fast: number, stalled: number, followed: readonly string[]): Promise<void> {
  const delays: number[] = []
  let lost = 0
  let closedSlow = 0
  const open = (...names: readonly string[]): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { perMessageDeflate: false })
      socket.on('error', reject)
      socket.on('open', () => {
        socket.send(JSON.stringify({ op: 'subscribe', streams: names }))
      })
      socket.once('message', () => {
        resolve(socket)
      })
    })
  for (let count = 0; count < fast; count += 50) {
    const some = await Promise.all(Array.from({ length: Math.min(50, fast - count) }, () => open(...followed)))
    for (const socket of some) {
      socket.on('message', (data) => {
        const time = TRADE_TIME.exec((data as Buffer).toString('latin1'))?.[1]
        if (time !== undefined) delays.push(Date.now() - Number(time))
      })
      socket.on('close', () => (lost += 1))
    }
  }
  const stalledSockets = await Promise.all(Array.from({ length: stalled }, () => open('trade:ETH_USD')))
  for (const socket of stalledSockets) {
    socket.pause()
    socket.on('close', () => (closedSlow += 1))
  }
  process.send?.('ready')
  await said('measure')
  delays.length = 0
  await said('stop')
  const heard = summary(delays)
  for (const socket of stalledSockets) socket.resume()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  process.send?.({ ...heard, lost, closedSlow })
}

/** Requests that never come to an end, and what a polite client sees meanwhile. */
async function slow(origin: string, sockets: number, seconds: number): Promise<void> {
  const { hostname, port } = new URL(origin)
  let isOver = false
  const dribble = (index: number): void => {
    if (isOver) return
    const socket = connect(Number(port), hostname)
    const isBody = index % 2 === 0
    socket.on('error', () => undefined)
    socket.write(`POST /v1/users HTTP/1.1\r\nHost: x\r\n${isBody ? 'Content-Length: 9999\r\n\r\n' : ''}`)
    const timer = setInterval(() => socket.write(isBody ? ' ' : 'X: y\r\n'), 100)
    socket.on('data', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      dribble(index)
    })
  }
  for (let index = 0; index < sockets; index += 1) dribble(index)
  const times: number[] = []
  let failed = 0
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const before = performance.now()
    const isAnswered = await fetch(`${origin}/v1/markets`, { signal: AbortSignal.timeout(10_000) }).then(
      async (response) => (await response.text()) !== '' && response.status === 200,
      () => false,
    )
    times.push(performance.now() - before)
    if (!isAnswered) failed += 1
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  isOver = true
  process.send?.({ ...summary(times), failed })
}

const [role, url = '', first, second, followed = ''] = process.argv.slice(2)
await (role === 'streams'
  ? streams(url, Number(first), Number(second), followed.split(','))
  : slow(url, Number(first), Number(second)))
process.exit()
