/**
 * The emulator for a while with everything on it at once: agents, a state, traders, followers of streams, faults, and
 * one socket that is hostile; then its end, and another life of its state.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { attack } from './attack.ts'
import { planFaults } from './soak-faults.ts'
import { follow } from './soak-follower.ts'
import { SoakLog, type SoakMinute } from './soak-log.ts'
import { SoakServer } from './soak-server.ts'
import { trade } from './soak-trader.ts'

export interface SoakSettings {
  readonly seconds: number
  /** A folder of its own, for the state and the config. */
  readonly folder: string
  readonly onMinute?: (minute: SoakMinute) => void
}

export interface SoakReport {
  readonly minutes: readonly SoakMinute[]
  /** What should not have been. */
  readonly faults: readonly string[]
  readonly orders: number
  readonly events: number
  readonly attacks: number
  /** From SIGTERM to the end of the process, in milliseconds. */
  readonly closingMs: number
}

const TRADERS = 6
const FOLLOWERS = 8
const KEYS = Array.from({ length: TRADERS }, (_, index) => `pt_soaker0${index}_${'K'.repeat(43)}`)
const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL']
const CONFIG = {
  limits: { general: 1_000_000, mutations: 1_000_000, windowSeconds: 60 },
  users: KEYS.map((key, index) => ({
    email: `trader-${index}@example.com`,
    verified: true,
    credits: { USD: '1000000000', BTC: '10000' },
    keys: [{ scopes: SCOPES, key }],
  })),
}
const SECOND = 1_000
/** The last seconds are for the end of what is under way. */
const SETTLE_MS = 1_500

export async function soakRun({ seconds, folder, onMinute }: SoakSettings): Promise<SoakReport> {
  writeFileSync(`${folder}/config.json`, JSON.stringify(CONFIG))
  const log = new SoakLog(onMinute)
  const first = await SoakServer.start(folder)
  const over = new AbortController()
  const attacker = await attack(first, log, over.signal)
  const everybody = [
    ...KEYS.map((key, index) => trade(first, key, index, log, over.signal)),
    ...Array.from({ length: FOLLOWERS }, () => follow(first, log, over.signal)),
    planFaults(first, log, over.signal),
    attacker.ended,
    log.watch(first, over.signal),
  ]
  await setTimeout(seconds * SECOND)
  over.abort()
  await Promise.all(everybody)
  await setTimeout(SETTLE_MS)
  const before = await standing(first, log)
  const closingMs = await first.stop(log)
  const second = await SoakServer.start(folder)
  const after = await standing(second, log)
  if (before !== after) log.fault(`another life of the state stands otherwise:\n${before}\n${after}`)
  await second.stop(log)
  return { ...log.report, closingMs }
}

/**
 * What every trader has, and whether everything adds up. The agents’ orders end with a life, so money of theirs is left
 * out.
 */
async function standing(served: SoakServer, log: SoakLog): Promise<string> {
  const audit = (await (await fetch(`${served.emulatorUrl}/audit`)).json()) as { readonly ok: boolean }
  if (!audit.ok) log.fault(`the audit is not right: ${JSON.stringify(audit)}`)
  const each = KEYS.map(async (key) => {
    const read = async (path: string): Promise<unknown> =>
      (await fetch(served.baseUrl + path, { headers: { 'x-api-key': key } })).json()
    return [await read('/balances'), await read('/orders/open'), await read('/orders?limit=500')]
  })
  return JSON.stringify(await Promise.all(each))
}
