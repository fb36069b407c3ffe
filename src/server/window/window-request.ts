/**
 * A message of a window on its line: what it watches and, where the emulator has one, the admin token.
 */
import { z } from 'zod'
import { CANDLE_INTERVALS, type CandleInterval } from '../../domain/candle.ts'
import { readStrictJson } from '../envelope/strict-json.ts'
import type { WindowWatch } from './window-frame.ts'

const INTERVALS = Object.keys(CANDLE_INTERVALS) as readonly CandleInterval[]
const LONGEST_TEXT = 100
const LONGEST_TOKEN = 4_096

const windowRequest = z.strictObject({
  watch: z.strictObject({
    symbol: z.string().max(LONGEST_TEXT),
    interval: z.enum(INTERVALS),
    user: z.string().max(LONGEST_TEXT).optional(),
  }),
  token: z.string().max(LONGEST_TOKEN).optional(),
})

export interface WindowRequest {
  readonly watch: WindowWatch
  readonly token?: string | undefined
}

/** @returns undefined for what is none */
export function readWindowRequest(message: Uint8Array): WindowRequest | undefined {
  const read = readStrictJson(message)
  if (!read.isJson || read.twice !== undefined) return undefined
  return windowRequest.safeParse(read.value).data
}
