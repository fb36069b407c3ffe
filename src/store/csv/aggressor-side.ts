/**
 * The aggressor of a recorded trade, as files tell it.
 */
import { SIDE_BUY, SIDE_SELL } from '../../tape/tape.ts'

const BY_SIDE: ReadonlyMap<string, number> = new Map([
  ['buy', SIDE_BUY],
  ['b', SIDE_BUY],
  ['sell', SIDE_SELL],
  ['s', SIDE_SELL],
])

// When the buyer was the maker, the seller was the aggressor.
const BY_BUYER_MAKER: ReadonlyMap<string, number> = new Map([
  ['true', SIDE_SELL],
  ['1', SIDE_SELL],
  ['false', SIDE_BUY],
  ['0', SIDE_BUY],
])

/** From `buy`, `sell`, `b` or `s` in any case; undefined for anything else. */
export const sideOfText = (text: string): number | undefined => BY_SIDE.get(text.toLowerCase())

/** From `true`, `false`, `1` or `0` in any case; undefined for anything else. */
export const sideOfBuyerMaker = (text: string): number | undefined => BY_BUYER_MAKER.get(text.toLowerCase())
