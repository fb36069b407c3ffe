/** Rebalancing that is stopped and started again, with what it saved. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import { Rebalancing } from '../../../src/runtime/backtest/rebalancing.ts'
import { resolvedRebalance } from '../../../src/runtime/settings/rebalance-terms.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import type { PersistedRebalancing } from '../../../src/store/state/live/persisted-rebalancing.ts'

const DAYS = 12
const TERMS = resolvedRebalance({ rule: 'inverse-volatility', every: '2d', at: '01:00', days: 3 }, [])

/** Books of cash and one holding each, which outlive the process. */
class World {
  readonly cash = [500_000n, 100_000n, 100_000n]
  readonly moves: [time: number, ...amounts: bigint[]][] = []
  readonly missed: string[] = []
  history: PersistedRebalancing | undefined
  isFull = false
  readonly #prices: readonly number[]

  constructor(prices: readonly number[]) {
    this.#prices = prices
  }

  /** Runs a process from a time to another. */
  run(from: number, to: number): void {
    const queue = new EventQueue(from)
    const dayOf = (): number => Math.floor(queue.now() / DAY_MS)
    const priceOf = (index: number): bigint => BigInt(this.#prices[(dayOf() + index) % this.#prices.length] ?? 1)
    const books = this.cash.map((_, index) => ({
      name: `s${index}`,
      look: () => undefined,
      isActive: () => true,
      equity: () => 100n * (this.cash[index] ?? 0n) + BigInt(index + 1) * priceOf(index),
      free: () => this.cash[index] ?? 0n,
    }))
    const wallet = {
      ...{ queue, books, scale: 4, ledgerScale: 2, history: this.history },
      execute: (amounts: ReadonlyMap<string, bigint>, history: PersistedRebalancing) => {
        if (this.isFull) return false
        const moved = books.map(({ name }) => amounts.get(name) ?? 0n)
        if (amounts.size > 0) this.moves.push([queue.now(), ...moved])
        for (const [index, amount] of moved.entries()) this.cash[index] = (this.cash[index] ?? 0n) + amount
        this.history = JSON.parse(JSON.stringify(history)) as PersistedRebalancing
        return true
      },
      onMissed: (text: string) => this.missed.push(text),
    }
    new Rebalancing(TERMS, wallet).begin(from, undefined)
    while (queue.nextTime < to) queue.runNext()
  }
}

const prices = fc.array(fc.integer({ min: 1_000_000, max: 3_000_000 }), { minLength: 5, maxLength: 13 })
const stop = fc.integer({ min: 1, max: DAYS * DAY_MS - 1 }).filter((time) => time % DAY_MS !== HOUR_MS)
const stops = fc.uniqueArray(stop, { maxLength: 8 })

it('moves the same, whenever its process is killed and started again', () => {
  fc.assert(
    fc.property(prices, stops, (given, killedAt) => {
      const [whole, parts] = [new World(given), new World(given)]
      whole.run(0, DAYS * DAY_MS)
      const times = [0, ...killedAt.toSorted((one, other) => one - other), DAYS * DAY_MS]
      for (const [index, to] of times.slice(1).entries()) parts.run(times[index] ?? 0, to)
      expect(parts.moves).toEqual(whole.moves)
      expect([parts.cash, parts.missed]).toEqual([whole.cash, []])
      expect(parts.cash.reduce((sum, each) => sum + each)).toBe(700_000n)
    }),
  )
})

it('names a moment at which nothing ran, once, and counts no return over it', () => {
  const world = new World([1_000_000, 2_000_000, 1_500_000, 2_500_000, 3_000_000])
  world.run(0, 5 * DAY_MS)
  const { returns: before = [] } = world.history?.books.s0 ?? {}
  world.run(7 * DAY_MS, 7 * DAY_MS + HOUR_MS + 1)
  expect(world.missed).toEqual(['no capital moved at 1970-01-07T01:00:00.000Z, because no session ran at that time'])
  expect(world.history?.books.s0?.returns).toEqual(before)
  world.run(7 * DAY_MS + 2 * HOUR_MS, 8 * DAY_MS + 2 * HOUR_MS)
  expect(world.missed).toHaveLength(1)
  expect(world.history?.books.s0?.returns).not.toEqual(before)
})

it('repeats no moment if the clock was set back, and skips one that cannot be saved', () => {
  const world = new World([1_000_000, 2_000_000, 1_500_000])
  world.run(0, 3 * DAY_MS)
  const moves = world.moves.length
  world.run(DAY_MS, 4 * DAY_MS)
  expect(world.moves).toHaveLength(moves)
  world.isFull = true
  world.run(4 * DAY_MS, 5 * DAY_MS)
  world.isFull = false
  world.run(5 * DAY_MS, 5 * DAY_MS + 1)
  expect(world.moves).toHaveLength(moves)
  expect(world.missed).toHaveLength(1)
})
