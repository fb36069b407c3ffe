/**
 * Any number of random commands against the twin, with what a person wants to see of it. Clock and terminal are handed
 * in.
 */
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import { restoreExchange } from '../../../src/exchange/restore-exchange.ts'
import { Corners } from './corners.ts'
import { failureText, playScripts } from './play-script.ts'

export interface FuzzEdge {
  /** Milliseconds. */
  readonly now: () => number
  readonly print: (line: string) => void
  /** Shows a line in place of the one before; an empty one takes it away. */
  readonly progress: (line: string) => void
}

const PROGRESS_EVERY_MS = 500
const count = (value: number): string => value.toLocaleString('en-US')

/** @returns whether the exchange did what it must, every time */
export function fuzz({ commands, seed }: { commands: number; seed: number }, edge: FuzzEdge): boolean {
  const corners = new Corners()
  const start = edge.now()
  const rateOf = (done: number): string => `${count(Math.round((done * 1000) / (edge.now() - start)))} a second`
  let shownAt = start
  const onScript = (done: number): void => {
    if (edge.now() < shownAt + PROGRESS_EVERY_MS) return
    shownAt = edge.now()
    edge.progress(`${count(done)} of ${count(commands)} commands, ${rateOf(done)}`)
  }
  edge.print(`seed ${seed}`)
  const options = { create: createExchange, restore: restoreExchange, lookEvery: 64, restartEvery: 64 }
  const played = playScripts({ seed, commands, corners, onScript }, options)
  edge.progress('')
  edge.print(corners.report())
  edge.print(`${count(played.commands)} commands in ${count(played.scripts)} scripts, ${rateOf(played.commands)}`)
  if (played.failure === undefined) return true
  const again = `again: npm run fuzz -- --commands 1 --seed ${played.failure.script.seed}`
  edge.print(`\nthe exchange is wrong\n${failureText(played.failure, options, again)}`)
  return false
}
