/**
 * What do an order, and a look at the ten best levels, cost in a book whose orders are far apart?
 *
 * Prices uniform over 100, 20 000 and 200 000 ticks, 1 000, 100 000 and 1 000 000 resting orders, balances kept;
 * nanoseconds of the processor an operation of the first 100 000 after the prefill, beside the narrowest book of as
 * many orders in the same run. Aim: 250 at 1 000 resting, 450 with more, 600 with 1 000 000 over 200 000 ticks;
 * `depth(10)` 5 µs at any size. An adversary who makes the window of a side jump costs no more than any order far away.
 * `npm run bench -- wide-books`
 */
import { cpus } from 'node:os'
import { cpuUsage } from 'node:process'
import { BookSide } from '../src/exchange/book/book-side.ts'
import { OrderSlots } from '../src/exchange/book/order-slots.ts'
import { corePlayer, type CorePlayer } from './core-player.ts'
import { orderStream, type OrderStream } from './order-stream.ts'

const OPERATIONS = 100_000
/** The first run warms up and is not counted. */
const RUNS = 6
const LOOKS = 20_000
const FAR_LEVELS = 1_000_000
const JUMPS = 200_000
const JUMP = 2 ** 18

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Nanoseconds of the processor each of `count` takes. */
function nanoseconds(count: number, play: () => void): number {
  const before = cpuUsage()
  play()
  const { user, system } = cpuUsage(before)
  return ((user + system) * 1_000) / count
}

/** A book of its own each time: what it holds is what the stream says. */
function filled(stream: OrderStream): CorePlayer {
  const player = corePlayer({ stream, feeBps: '0', unit: 1 })
  player.play(0, stream.prefill)
  return player
}

function orderTimes(stream: OrderStream): readonly number[] {
  const { prefill } = stream
  const times = Array.from({ length: RUNS }, () => {
    const { play } = filled(stream)
    return nanoseconds(OPERATIONS, () => play(prefill, prefill + OPERATIONS))
  })
  return times.slice(1)
}

function depthTime(stream: OrderStream, levels: number): number {
  const { book } = filled(stream).core
  const times = Array.from({ length: RUNS }, () =>
    nanoseconds(LOOKS, () => {
      for (let look = 0; look < LOOKS; look += 1) book.depth(levels)
    }),
  )
  return median(times) / 1_000
}

/** Levels far behind the best, each a window away from the last one in half of the cases. */
function farTime(): number {
  const slots = new OrderSlots()
  const side = new BookSide(slots, 'BUY')
  side.append(slots.take(2, 2 ** 52, 1))
  return nanoseconds(FAR_LEVELS, () => {
    for (let order = 0; order < FAR_LEVELS; order += 1) {
      side.append(slots.take(2, 1 + ((order * 7_919) % FAR_LEVELS) * JUMP, 1))
    }
  })
}

/** A side with levels at every tick that a window holds, and orders that come above it, are the best, and go. */
function jumpTime(): number {
  const slots = new OrderSlots()
  const side = new BookSide(slots, 'BUY')
  for (let tick = 0; tick < JUMP; tick += 1) side.append(slots.take(2, 1_000_000 + tick, 1))
  return nanoseconds(JUMPS, () => {
    for (let jump = 0; jump < JUMPS / 2; jump += 1) {
      const slot = slots.take(2, 1_000_000 + JUMP + 1 + ((jump * JUMP) % (2 * JUMP)), 1)
      side.append(slot)
      side.remove(slot)
      slots.release(slot)
      const low = slots.take(2, 999_999 - jump, 1)
      side.append(low)
    }
  })
}

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ns of the processor, median`)
for (const resting of [1_000, 100_000, 1_000_000]) {
  let narrow = Number.NaN
  for (const ticks of [100, 20_000, 200_000]) {
    const stream = orderStream(resting, OPERATIONS, ticks)
    const times = orderTimes(stream)
    const middle = median(times)
    if (ticks === 100) narrow = middle
    const beside = `${(middle / narrow).toFixed(2)} of 100 ticks`
    const depths = [1, 10].map((levels) => `depth(${levels}) ${depthTime(stream, levels).toFixed(2)} µs`).join(', ')
    const name = `${resting} resting over ${ticks} ticks`
    console.log(
      `${name.padEnd(36)} ${middle.toFixed(0).padStart(6)} (best ${Math.min(...times).toFixed(0)}, ${beside}), ${depths}`,
    )
  }
}
console.log(`a million levels far away: ${farTime().toFixed(0)} each`)
console.log(`an order that would move the window, and its cancel: ${jumpTime().toFixed(0)} each`)
