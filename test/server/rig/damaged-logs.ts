/**
 * Opens what a kill left behind with its log damaged: it is refused by the log's name, or nothing that was acknowledged
 * is lost.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { InputError, invariant } from '../../../src/domain/errors.ts'
import { orderToJson, type OrderJson } from '../../../src/domain/order.ts'
import { systemSecrets } from '../../../src/server/service/secrets.ts'
import { openServiceState } from '../../../src/server/state/service-state.ts'
import { snapshotsBeside } from '../../../src/store/state/snapshot-beside.ts'
import type { Chance } from '../../exchange/rig/chance.ts'
import { copyStateFile } from '../../store/rig/state-file-copy.ts'
import type { CrashWitness } from './crash-witness.ts'
import { CONFIG } from './state-server.ts'

/** What became of the damaged ones. */
export interface DamagedLogs {
  refused: number
  /** What was damaged in them was not needed. */
  whole: number
}

const bytesOf = (log: string): Buffer => (existsSync(log) ? readFileSync(log) : Buffer.alloc(0))

type Damage = (log: string, chance: Chance) => void

const DAMAGES: Readonly<Record<string, Damage>> = {
  none: () => undefined,
  cut: (log, chance) => {
    if (bytesOf(log).length > 0) truncateSync(log, chance.below(bytesOf(log).length))
  },
  'another bit': (log, chance) => {
    const bytes = bytesOf(log)
    if (bytes.length === 0) return
    const at = chance.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8))
    writeFileSync(log, bytes)
  },
  gone: (log) => {
    rmSync(log, { force: true })
  },
}

/** @param user  whose orders the witness knows */
export function lookAtDamagedLogs(
  file: string,
  user: string,
  chance: Chance,
  witness: CrashWitness,
  logs: DamagedLogs,
): void {
  const copy = `${file}-copy`
  for (const [name, damage] of Object.entries(DAMAGES)) {
    copyStateFile(file, copy)
    const acknowledged = `${file}-acknowledged`
    if (existsSync(acknowledged)) copyFileSync(acknowledged, `${copy}-acknowledged`)
    damage(`${copy}-wal`, chance)
    const faults = witness.faults.length
    const orders = ordersIn(copy, user)
    if (orders instanceof InputError && name !== 'none' && orders.where === `${copy}-wal`) logs.refused += 1
    else if (orders instanceof InputError) witness.faults.push(`a log with the damage '${name}': ${orders.message}`)
    else witness.look(orders, 0)
    if (!(orders instanceof InputError) && name !== 'none') logs.whole += 1
    // Anyone who looks into a fault finds it as it was.
    if (witness.faults.length > faults) return
    for (const path of ['', '-wal', '-shm', '-acknowledged'].map((part) => copy + part)) rmSync(path, { force: true })
    for (const path of snapshotsBeside(copy)) rmSync(path)
  }
}

/** Every order, or what refuses the file. */
function ordersIn(file: string, user: string): readonly OrderJson[] | InputError {
  try {
    const state = openServiceState(file, CONFIG, systemSecrets, (error) => {
      throw error
    })
    const [market] = CONFIG.markets
    invariant(market !== undefined, 'there is a market')
    const orders = state.exchange.orders(user, { limit: Number.MAX_SAFE_INTEGER, page: 1 })
    state.close()
    return orders.map((order) => orderToJson(order, market))
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
}
