/**
 * A recorded tape with bootstrapped returns at the same times.
 *
 * Invariant: rows outside of the window stay as recorded; those inside continue from its first price.
 * Known limitation: it is completely in memory.
 */
import { type BlockOptions, shuffledCandles, shuffledTrades } from './selection/shuffled-prices.ts'
import {
  isCandleBlock,
  type CandleBlock,
  type RecordedBlock,
  type Tape,
  type TapeBlock,
  type TapeWindow,
} from '../tape/tape.ts'
import { firstRowFrom, sliceBlock } from '../tape/window.ts'

type Block = RecordedBlock
type Names<B extends Block> = readonly (keyof B & string)[]

const TRADE_COLUMNS: Names<TapeBlock> = ['price', 'qty', 'side']
const CANDLE_COLUMNS: Names<CandleBlock> = ['open', 'high', 'low', 'close', 'volume']

/**
 * @param random   seeded, in [0, 1)
 * @param options  default: all rows, drawn with replacement, in blocks of the cube root of the count of rows
 * @throws {InputError} at a faulty row of the tape
 */
export async function shuffledTape(
  tape: Tape,
  random: () => number,
  { from: begin = -Infinity, to: end = Infinity, ...options }: BlockOptions & TapeWindow = {},
): Promise<Tape> {
  const blocks: Block[] = []
  for await (const block of tape.blocks()) blocks.push(block)
  const inside = between(blocks, begin, end)
  const shuffled = [
    ...between(blocks, -Infinity, begin),
    ...(tape.info.kind === 'candles' ? candles(inside, random, options) : trades(inside, random, options)),
    ...between(blocks, end, Infinity),
  ]
  const { info, gaps } = tape
  return {
    info,
    gaps,
    blocks: ({ from = -Infinity, to = Infinity } = {}) =>
      readBlocks(shuffled.filter(({ time, length }) => (time[length - 1] ?? 0) >= from && (time[0] ?? 0) < to)),
  }
}

const between = (blocks: readonly Block[], from: number, to: number): readonly Block[] =>
  blocks.flatMap((block) => {
    const [first, last] = [firstRowFrom(block, from), firstRowFrom(block, to)]
    return last > first ? [sliceBlock(block, first, last)] : []
  })

function candles(blocks: readonly Block[], random: () => number, options: BlockOptions): readonly Block[] {
  const own = blocks.filter(isCandleBlock)
  const [open, high, low, close, volume] = CANDLE_COLUMNS.map((name) => joined(own, name)) as FiveColumns
  return cut(own, CANDLE_COLUMNS, { ...shuffledCandles({ open, high, low, close, volume }, random, options) })
}

type FiveColumns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]

function trades(blocks: readonly Block[], random: () => number, options: BlockOptions): readonly Block[] {
  const own = blocks.filter((block): block is TapeBlock => !isCandleBlock(block))
  const [price, qty, side] = TRADE_COLUMNS.map((name) => joined(own, name)) as ThreeColumns
  const columns = { price, qty, side: Uint8Array.from(side) }
  return cut(own, TRADE_COLUMNS, { ...shuffledTrades(columns, random, options) })
}

type ThreeColumns = [Float64Array, Float64Array, Float64Array]

function joined<B extends Block>(blocks: readonly B[], name: keyof B): Float64Array {
  const whole = new Float64Array(blocks.reduce((all, { length }) => all + length, 0))
  let row = 0
  for (const block of blocks) {
    whole.set((block[name] as Float64Array | Uint8Array).subarray(0, block.length), row)
    row += block.length
  }
  return whole
}

function cut<B extends Block>(
  blocks: readonly B[],
  names: Names<B>,
  columns: Readonly<Record<string, Float64Array | Uint8Array>>,
): readonly B[] {
  let row = 0
  return blocks.map((block) => {
    const [first, last] = [row, row + block.length]
    row = last
    return { ...block, ...Object.fromEntries(names.map((name) => [name, columns[name]?.subarray(first, last)])) }
  })
}

// eslint-disable-next-line @typescript-eslint/require-await -- as every tape
async function* readBlocks(blocks: readonly Block[]): AsyncGenerator<Block, void, undefined> {
  yield* blocks
}
