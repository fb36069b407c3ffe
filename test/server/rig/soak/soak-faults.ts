/**
 * Faults on purpose, a third of the time.
 */
import { setTimeout } from 'node:timers/promises'
import type { SoakLog } from './soak-log.ts'
import type { SoakServer } from './soak-server.ts'

const CALM_MS = 4_000
const FAULTY_MS = 2_000
/** What was begun under a fault may end after it: late by this at most. */
const AFTER_MS = 1_500
const CHANCE = { probability: 0.2, seed: 7 }
const FAULTS = [
  { fault: 'delay', route: '*', ms: 300 },
  { fault: 'engine-timeout-late', route: 'POST /orders', ms: 700 },
  { fault: 'reset-after', route: 'POST /orders' },
  { fault: 'truncated-body', route: 'GET /orders/open' },
  { fault: 'rate-limited', route: '*', ms: 1_000 },
  { fault: 'stream-drop', route: 'GET /ws', count: 3 },
  { fault: 'duplicate-order', route: 'POST /orders' },
  { fault: 'reset-late', route: 'POST /orders', ms: 500 },
]

let isPlanned = false

/** Whether what happens to a request now may be meant. */
export const arePlanned = (): boolean => isPlanned

export async function planFaults({ emulatorUrl }: SoakServer, log: SoakLog, signal: AbortSignal): Promise<void> {
  // At the end no one waits for the rest of it.
  const pause = (ms: number): Promise<unknown> => setTimeout(ms, undefined, { signal }).catch(() => undefined)
  for (let turn = 0; !signal.aborted; turn += 1) {
    await pause(CALM_MS)
    isPlanned = true
    const fault = FAULTS[turn % FAULTS.length] ?? {}
    const body = JSON.stringify('count' in fault ? fault : { ...fault, ...CHANCE })
    const planned = await fetch(`${emulatorUrl}/faults`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    if (planned.status !== 201) log.fault(`no fault could be planned: ${planned.status} ${await planned.text()}`)
    await pause(FAULTY_MS)
    await fetch(`${emulatorUrl}/faults`, { method: 'DELETE' })
    await pause(AFTER_MS)
    isPlanned = false
  }
}
