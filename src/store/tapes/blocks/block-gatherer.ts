/**
 * Regroups rows of blocks of any size into blocks of storage size.
 *
 * Precondition, ensured by the caller: in the finest precisions among the rows, each value is a safe integer.
 */
import { invariant } from '../../../domain/errors.ts'
import { powerOfTen } from '../../../domain/fixed-point.ts'
import {
  MAX_BLOCK_ROWS,
  isCandleBlock,
  type CandleBlock,
  type RecordedBlock,
  type TapeBlock,
} from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import type { StoredRows } from './block-codec.ts'

type TradeColumns = Omit<Required<TapeBlock>, 'length' | 'ids'> & { readonly ids: Float64Array; texts: string[] }
type CandleColumns = Omit<CandleBlock, 'length'>

const NO_PRECISIONS: TapePrecisions = { pricePrecision: 0, qtyPrecision: 0 }

export class BlockGatherer {
  readonly #onBlock: (rows: StoredRows) => void
  #precisions: TapePrecisions = NO_PRECISIONS
  #length = 0
  #trades: TradeColumns | undefined
  #candles: CandleColumns | undefined
  #idForm: 'none' | 'numbers' | 'texts' = 'none'
  #hasDoubts = false

  /** @param onBlock  takes each full block, and the last; its columns are good until the next one */
  constructor(onBlock: (rows: StoredRows) => void) {
    this.#onBlock = onBlock
  }

  /** Takes the rows from `start` up to `end`, exclusive, which follow those before. */
  add({ block, ...precisions }: StoredRows, start = 0, end = block.length): void {
    this.#refine(precisions)
    for (let at = start; at < end;) {
      if (this.#length > 0 && !this.#isOfOneForm(block)) this.#give()
      if (this.#length === 0) this.#takeForm(block)
      const count = Math.min(end - at, MAX_BLOCK_ROWS - this.#length)
      if (isCandleBlock(block)) this.#copyCandles(block, precisions, at, count)
      else this.#copyTrades(block, precisions, at, count)
      this.#length += count
      at += count
      if (this.#length === MAX_BLOCK_ROWS) this.#give()
    }
  }

  /** Call after the last rows. */
  end(): void {
    if (this.#length > 0) this.#give()
  }

  /** Rows that need more decimals refine those that were taken. */
  #refine({ pricePrecision, qtyPrecision }: TapePrecisions): void {
    const now = this.#precisions
    const next = {
      pricePrecision: Math.max(now.pricePrecision, pricePrecision),
      qtyPrecision: Math.max(now.qtyPrecision, qtyPrecision),
    }
    const price = factor(next.pricePrecision - now.pricePrecision)
    const qty = factor(next.qtyPrecision - now.qtyPrecision)
    if (this.#length > 0 && (price > 1 || qty > 1)) this.#scale(price, qty)
    this.#precisions = next
  }

  #isOfOneForm(block: RecordedBlock): boolean {
    return isCandleBlock(block) || (idFormOf(block) === this.#idForm && hasDoubts(block) === this.#hasDoubts)
  }

  #takeForm(block: RecordedBlock): void {
    if (isCandleBlock(block)) return
    this.#idForm = idFormOf(block)
    this.#hasDoubts = hasDoubts(block)
  }

  #copyTrades(block: TapeBlock, of: TapePrecisions, at: number, count: number): void {
    const columns = (this.#trades ??= tradeColumns())
    const to = this.#length
    copy(block.time, columns.time, at, to, count, 1)
    copy(block.price, columns.price, at, to, count, factor(this.#precisions.pricePrecision - of.pricePrecision))
    copy(block.qty, columns.qty, at, to, count, factor(this.#precisions.qtyPrecision - of.qtyPrecision))
    columns.side.set(block.side.subarray(at, at + count), to)
    if (block.isDoubtful !== undefined) columns.isDoubtful.set(block.isDoubtful.subarray(at, at + count), to)
    if (block.ids instanceof Float64Array) copy(block.ids, columns.ids, at, to, count, 1)
    else if (block.ids !== undefined) columns.texts.push(...block.ids.slice(at, at + count))
  }

  #copyCandles(block: CandleBlock, of: TapePrecisions, at: number, count: number): void {
    const columns = (this.#candles ??= candleColumns())
    const to = this.#length
    const scale = factor(this.#precisions.pricePrecision - of.pricePrecision)
    copy(block.time, columns.time, at, to, count, 1)
    copy(block.open, columns.open, at, to, count, scale)
    copy(block.high, columns.high, at, to, count, scale)
    copy(block.low, columns.low, at, to, count, scale)
    copy(block.close, columns.close, at, to, count, scale)
    copy(block.volume, columns.volume, at, to, count, factor(this.#precisions.qtyPrecision - of.qtyPrecision))
  }

  #scale(price: number, qty: number): void {
    const [prices, quantities] = this.#priceAndQty()
    for (const column of prices) copy(column, column, 0, 0, this.#length, price)
    copy(quantities, quantities, 0, 0, this.#length, qty)
  }

  #priceAndQty(): readonly [readonly Float64Array[], Float64Array] {
    if (this.#candles !== undefined) {
      const { open, high, low, close, volume } = this.#candles
      return [[open, high, low, close], volume]
    }
    invariant(this.#trades !== undefined, 'rows were taken')
    return [[this.#trades.price], this.#trades.qty]
  }

  #give(): void {
    const length = this.#length
    const trades = this.#trades
    const candles = this.#candles
    this.#length = 0
    if (candles !== undefined) this.#onBlock({ block: { length, ...candles }, ...this.#precisions })
    if (trades === undefined) return
    const { texts, ids, isDoubtful, ...columns } = trades
    trades.texts = []
    const given = this.#idForm === 'numbers' ? ids : this.#idForm === 'texts' ? texts : undefined
    const block = { length, ...columns, ...(this.#hasDoubts && { isDoubtful }), ids: given }
    this.#onBlock({ block, ...this.#precisions })
  }
}

const idFormOf = ({ ids }: TapeBlock): 'none' | 'numbers' | 'texts' =>
  ids === undefined ? 'none' : ids instanceof Float64Array ? 'numbers' : 'texts'

const hasDoubts = ({ isDoubtful }: TapeBlock): boolean => isDoubtful !== undefined

const factor = (digits: number): number => (digits <= 0 ? 1 : Number(powerOfTen(digits)))

function copy(of: Float64Array, into: Float64Array, at: number, to: number, count: number, scale: number): void {
  if (scale === 1) {
    if (of !== into) into.set(of.subarray(at, at + count), to)
    return
  }
  for (let row = 0; row < count; row += 1) into[to + row] = (of[at + row] ?? 0) * scale
}

const column = (): Float64Array => new Float64Array(MAX_BLOCK_ROWS)

const tradeColumns = (): TradeColumns => ({
  time: column(),
  price: column(),
  qty: column(),
  ids: column(),
  side: new Uint8Array(MAX_BLOCK_ROWS),
  isDoubtful: new Uint8Array(MAX_BLOCK_ROWS),
  texts: [],
})

const candleColumns = (): CandleColumns => ({
  time: column(),
  open: column(),
  high: column(),
  low: column(),
  close: column(),
  volume: column(),
})
