/**
 * Follows the streams of a market, and comes back when it was cut.
 */
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { arePlanned } from './soak-faults.ts'
import type { SoakLog } from './soak-log.ts'
import type { SoakServer } from './soak-server.ts'

const STREAMS = ['trade:BTC_USD', 'ticker:BTC_USD', 'trade:ETH_USD', 'ticker:ETH_USD']
const AGAIN_MS = 200

interface Event {
  readonly stream?: string
  readonly data?: { readonly id?: string }
}

export async function follow({ streamUrl }: SoakServer, log: SoakLog, signal: AbortSignal): Promise<void> {
  const lastIds = new Map<string, number>()
  while (!signal.aborted) {
    const socket = new WebSocket(streamUrl)
    const end = (): void => {
      socket.terminate()
    }
    signal.addEventListener('abort', end, { once: true })
    socket.on('open', () => {
      socket.send(JSON.stringify({ op: 'subscribe', streams: STREAMS }))
    })
    socket.on('message', (data) => {
      const { stream = '', data: { id } = {} } = JSON.parse((data as Buffer).toString()) as Event
      log.events += 1
      if (id === undefined) return
      const last = lastIds.get(stream) ?? 0
      if (Number(id) <= last) log.fault(`${stream} reported trade ${id} behind ${last}`)
      lastIds.set(stream, Number(id))
    })
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.once('close', resolve))
    signal.removeEventListener('abort', end)
    const isOver = (): boolean => signal.aborted
    if (!isOver() && !arePlanned()) log.fault('a stream was cut')
    await setTimeout(AGAIN_MS)
  }
}
