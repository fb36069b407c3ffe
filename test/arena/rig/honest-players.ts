/** Honest players: each has an account, its own pace, sizes and latency. */
import type { Chance } from '../../exchange/rig/chance.ts'
import type { SeasonSim } from './season-sim.ts'

type Join = (sim: SeasonSim, account: string) => void

/** Time of an order on its way: a part that stays, and a part that changes from order to order. */
const latency = (chance: Chance): (() => number) => {
  const [base, jitter] = [chance.between(5, 150), chance.between(15, 120)]
  return () => base + jitter * (chance.fraction() + (chance.oneIn(10) ? 3 * chance.fraction() : 0))
}

const sideOf = (isBuy: boolean) => (isBuy ? 'BUY' : 'SELL')

/** Quotes both sides, and again after a while; a fast one also whenever the price moves. */
const maker =
  (isFast: boolean): Join =>
  (sim, account) => {
    const { chance } = sim
    const wait = latency(chance)
    const [half, qty, pause] = [chance.between(10, 80), chance.between(1, 20) * 100, chance.between(2_000, 15_000)]
    const quote = (): void => {
      sim.cancelAll(account)
      const lean = sim.position(account) / 200
      sim.limit(account, 'BUY', Math.min(sim.last - half - lean, sim.best('SELL') - 1), qty)
      sim.limit(account, 'SELL', Math.max(sim.last + half - lean, sim.best('BUY') + 1), qty)
    }
    if (isFast) sim.onMove(() => sim.later(wait(), quote))
    sim.join(account, () => (sim.later(wait(), quote), pause + chance.between(0, 1_000)), chance.between(0, 30_000))
  }

/** Trades in either direction at random, in round sizes or any. */
const taker: Join = (sim, account) => {
  const { chance } = sim
  const [pause, unit] = [chance.between(5_000, 120_000), chance.pick([1, 100, 1_000])]
  sim.join(
    account,
    () => {
      const side =
        sim.position(account) > 5_000 ? 'SELL' : sim.position(account) < -5_000 ? 'BUY' : chance.pick(['BUY', 'SELL'])
      sim.market(account, side, unit * chance.between(1, Math.max(1, Math.round(2_000 / unit))))
      return 1 + Math.round(pause * 2 * chance.fraction())
    },
    chance.between(0, 60_000),
  )
}

/**
 * Code of which several players may have the same: it looks at the price by the clock, and holds a position of one
 * size.
 */
const follower =
  (sign: 1 | -1, period: number, qty: number, threshold: number): Join =>
  (sim, account) => {
    const wait = latency(sim.chance)
    let before = 0
    sim.join(
      account,
      () => {
        const move = before === 0 ? 0 : (sim.last / before - 1) * 10_000
        before = sim.last
        if (Math.abs(move) > threshold) {
          const target = Math.sign(move) * sign * qty
          const missing = target - sim.position(account)
          if (missing !== 0) sim.later(wait(), () => sim.market(account, sideOf(missing > 0), Math.abs(missing)))
        }
        return period
      },
      0,
    )
  }

/** Trades once, and holds what it has. */
const beginner: Join = (sim, account) => {
  const { chance } = sim
  const qty = chance.pick([1_000, 10_000, chance.between(100, 50_000)])
  const at = Math.floor(chance.fraction() * (sim.end - sim.now))
  const act = () => {
    sim.market(account, chance.pick(['BUY', 'SELL']), Math.ceil(qty / 2))
    return -1
  }
  sim.join(account, act, at)
}

/** Rests large orders far away, and takes large ones that move the price. */
const whale: Join = (sim, account) => {
  const { chance } = sim
  sim.join(
    account,
    () => {
      sim.cancelAll(account)
      const side = sim.position(account) > 0 ? 'SELL' : 'BUY'
      if (chance.oneIn(2)) sim.market(account, side, chance.between(5_000, 25_000))
      else sim.limit(account, side, sim.last * (side === 'BUY' ? 0.985 : 1.015), chance.between(2_000, 10_000))
      return chance.between(60_000, 300_000)
    },
    chance.between(0, 60_000),
  )
}

/** Reacts to moves by taking what still rests at the old price, of whomever. */
const arbitrageur: Join = (sim, account) => {
  const { chance } = sim
  const wait = latency(chance)
  let last = sim.last
  let busy = false
  sim.onMove(() => {
    const isUp = sim.last > last
    last = sim.last
    if (busy) return
    busy = true
    sim.later(wait(), () => {
      busy = false
      const price = sim.best(isUp ? 'SELL' : 'BUY')
      const gain = (sim.fair - price) * (isUp ? 1 : -1)
      if (gain > 0 && Math.abs(sim.position(account)) < 20_000) sim.limit(account, sideOf(isUp), price, 500)
    })
  })
  sim.join(account, () => (sim.cancelAll(account), 10_000), 0)
}

const idle: Join = (sim, account) => sim.join(account, () => -1, 0)

/** Joins between 15 and 40 honest players, of all kinds, and some that share their code. */
export function joinHonest(sim: SeasonSim): void {
  const { chance } = sim
  let count = 0
  const join = (player: Join, times: number): void => {
    for (let time = 0; time < times; time += 1) player(sim, `h${(count += 1)}`)
  }
  join(maker(false), chance.between(1, 5))
  join(maker(true), chance.between(0, 3))
  join(taker, chance.between(3, 10))
  for (const sign of [1, -1] as const) {
    for (let code = chance.between(1, 3); code > 0; code -= 1) {
      const same = follower(
        sign,
        chance.pick([5_000, 10_000, 30_000, 60_000]),
        chance.between(5, 50) * 100,
        chance.between(1, 8),
      )
      join(same, chance.pick([1, 1, 2, 2, 3]))
    }
  }
  join(beginner, chance.between(0, 8))
  join(whale, chance.between(0, 2))
  join(arbitrageur, chance.between(0, 2))
  join(idle, chance.between(0, 10))
}
