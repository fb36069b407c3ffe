/**
 * Text of a snapshot in pieces, to be written one after another: together they are its JSON.
 */
import { LaterList } from '../../exchange/snapshot/later-list.ts'

/** Items of a list in one piece: what is left of a millisecond in the worst case. */
const ITEMS = 64

/** @param value  of JSON, or with lists that are written later */
export function* snapshotText(value: unknown): Generator<string> {
  if (value instanceof LaterList) yield* listText(value)
  else if (Array.isArray(value)) yield* arrayText(value)
  else if (typeof value === 'object' && value !== null) yield* objectText(value)
  else yield JSON.stringify(value)
}

function* listText(list: LaterList<unknown>): Generator<string> {
  yield '['
  for (let from = 0; from < list.length; from += ITEMS) {
    const items = JSON.stringify(list.part(from, from + ITEMS)).slice(1, -1)
    yield from === 0 ? items : `,${items}`
  }
  yield ']'
}

function* arrayText(items: readonly unknown[]): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    yield* snapshotText(item)
  }
  yield ']'
}

function* objectText(value: object): Generator<string> {
  let separator = '{'
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* snapshotText(each)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}
