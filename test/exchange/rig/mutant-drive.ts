/**
 * The process of a mutant: drives the exchange of the folder that it is told, and prints what it found as JSON.
 */
import type { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { restoreExchange } from '../../../src/exchange/snapshot/restore-exchange.ts'
import { LONG_LOOKS, longScript } from './long-script.ts'
import { playScripts } from './play-script.ts'

export interface DriveOrder {
  /** Of the exchange: a URL that ends in a slash. */
  readonly folder: string
  readonly seed: number
  readonly commands: number
  /** Whether the scripts are those of long-script.ts. */
  readonly isLong?: boolean
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
const { restoreExchange: restore } = (await import(`${order.folder}snapshot/restore-exchange.js`)) as Restores
const looks = order.isLong === true ? LONG_LOOKS : { lookEvery: 8, restartEvery: 32 }
const settings = order.isLong === true ? { ...order, write: longScript } : order
const { commands, failure } = playScripts(settings, { create, restore, ...looks })
const report: DriveReport = failure === undefined ? { commands } : { commands, found: failure.message }
console.log(JSON.stringify(report))
