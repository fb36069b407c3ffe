/**
 * Plays a stream of orders against the matching core, with balances: numbers in, numbers out.
 */
import { NO_LIMIT } from '../src/exchange/admission.ts'
import { MatchingCore } from '../src/exchange/matching-core.ts'
import { CANCEL, LIMIT, marketConfig, richLedger, rulesOf, type OrderStream } from './order-stream.ts'

/** Plays the operations from `first` to `end`. */
export type Player = (first: number, end: number) => void

export interface CoreSetup {
  readonly stream: OrderStream
  readonly feeBps: string
  /** Lots in a unit of the stream's quantity. */
  readonly unit: number
}

export interface CorePlayer {
  readonly core: MatchingCore
  readonly play: Player
  readonly matches: () => number
}

export function corePlayer({ stream, feeBps, unit }: CoreSetup): CorePlayer {
  const config = marketConfig(feeBps, feeBps)
  const { ledger, rows } = richLedger(config)
  let matches = 0
  const core = new MatchingCore(rulesOf(config), ledger, { onMatch: () => void (matches += 1) })
  const slots = new Int32Array(stream.length)
  const { kind, isBuy, price, qty, account, order } = stream
  const play: Player = (first, end) => {
    for (let index = first; index < end; index += 1) {
      const side = isBuy[index] === 1 ? 'BUY' : 'SELL'
      const row = rows[account[index] ?? 0] ?? 0
      const number = order[index] ?? 0
      if (kind[index] === CANCEL) {
        core.cancel(slots[number] ?? 0, side)
        continue
      }
      const isLimit = kind[index] === LIMIT
      const limit = isLimit ? (price[index] ?? 0) : NO_LIMIT[side]
      const lots = (qty[index] ?? 0) * unit
      if (core.admission.refusal(row, side, limit, lots) !== undefined) continue
      const slot = core.place(row, side, limit, lots)
      if (isLimit) slots[number] = slot
    }
  }
  return { core, play, matches: () => matches }
}
