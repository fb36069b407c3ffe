/**
 * The process of a mutant: drives the exchange of the folder that it is reported, and prints what it found as JSON.
 */
import type { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { restoreExchange } from '../../../src/exchange/restore-exchange.ts'
import { damageEach, damages, smallSnapshot, withChanges } from './damaged-snapshots.ts'
import { LONG_LOOKS, longScript } from './long-script.ts'
import { playScripts } from './play-script.ts'

export interface DriveOrder {
  /** Of the exchange: a URL that ends in a slash. */
  readonly folder: string
  readonly seed: number
  readonly commands: number
  /** Whether the scripts are those of long-script.ts. */
  readonly isLong?: boolean
  /** Whether damaged snapshots are restored, as snapshot-corruption.test.ts does, and nothing else. */
  readonly isDamage?: boolean
}

export interface DriveReport {
  readonly commands: number
  /** What is wrong with the exchange; absent when nothing was found. */
  readonly found?: string
}

interface Makes {
  readonly createExchange: typeof createExchange
}
interface Restores {
  readonly restoreExchange: typeof restoreExchange
}

const order = JSON.parse(process.argv[2] ?? '') as DriveOrder
const { createExchange: create } = (await import(`${order.folder}create-exchange.js`)) as Makes
const { restoreExchange: restore } = (await import(`${order.folder}restore-exchange.js`)) as Restores

/** What was believed of a damaged snapshot, or refused of a whole one. */
function damageFault(): string | undefined {
  const snapshot = smallSnapshot(create)
  restore(snapshot)
  const { believed, faults } = damageEach(snapshot, restore)
  if (believed.length + faults.length > 0) return `damage: ${[...believed, ...faults].join(', ')}`
  for (const { name, changes, fault } of damages(snapshot)) {
    try {
      restore(withChanges(snapshot, changes))
    } catch (error) {
      if (String(error).includes(fault)) continue
    }
    return `damage: ${name}`
  }
  return undefined
}

function driven(): DriveReport {
  const looks = order.isLong === true ? LONG_LOOKS : { lookEvery: 8, restartEvery: 32 }
  const settings = order.isLong === true ? { ...order, write: longScript } : order
  const { commands, failure } = playScripts(settings, { create, restore, ...looks })
  return failure === undefined ? { commands } : { commands, found: failure.message }
}

const damage = order.isDamage === true ? damageFault() : undefined
const report = order.isDamage === true ? { commands: 0, ...(damage === undefined ? {} : { found: damage }) } : driven()
console.log(JSON.stringify(report))
