/** Cheaters in a season: kind, number of accounts, size, pace, noise and camouflage are by chance. */
import type { CheatKind } from '../../../src/arena/season-record.ts'
import type { Side } from '../../../src/domain/order.ts'
import type { SeasonSim } from './season-sim.ts'

/** Joins the accounts, and returns those that must be found. */
type Cheat = (sim: SeasonSim) => readonly string[]

const other = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')

/** Accounts whose own acts are honest trades now and then, as camouflage. */
function joinAccounts(sim: SeasonSim, count: number, camouflageMs: number): readonly string[] {
  const { chance } = sim
  return chance.list(count, (index) => {
    const account = `x${index + 1}`
    const act = (): number => {
      if (camouflageMs === 0) return -1
      sim.market(account, chance.pick(['BUY', 'SELL']), chance.between(10, 1_000))
      return 1 + Math.round(2 * camouflageMs * chance.fraction())
    }
    sim.join(account, act, chance.between(1, 60_000))
    return account
  })
}

/** Acts again and again through the season, after `pause` on average. */
function again(sim: SeasonSim, pause: number, act: () => void): void {
  const next = (): void =>
    sim.later(pause * (0.3 + 1.4 * sim.chance.fraction()), () => {
      act()
      if (sim.now + 2 * pause < sim.end) next()
    })
  next()
}

const pushing: Cheat = (sim) => {
  const { chance } = sim
  const [gainer = '', loser = ''] = joinAccounts(sim, 2, chance.pick([0, 30_000, 90_000]))
  const [bps, lots] = [chance.between(150, 600), chance.between(5_000, 20_000)]
  again(sim, chance.between(40_000, 150_000), () => {
    const side = chance.pick(['BUY', 'SELL'] as const)
    const sign = side === 'SELL' ? 1 : -1
    // The gainer rests far away, and the loser takes all that is before it.
    const price = Math.round(sim.last * (1 + (sign * bps) / 10_000))
    sim.limit(gainer, side, price, lots)
    sim.later(chance.between(5, 3_000), () => {
      sim.limit(loser, other(side), price, sim.lotsTo(side, price))
      sim.later(20, () => {
        sim.cancelAll(loser)
        sim.cancelAll(gainer)
      })
    })
  })
  return [gainer, loser]
}

const circle: Cheat = (sim) => {
  const { chance } = sim
  const ring = joinAccounts(sim, chance.between(2, 5), chance.pick([0, 60_000, 120_000]))
  const [gap, step, lots] = [chance.between(2, 150), chance.between(100, 15_000), chance.between(100, 3_000)]
  const noise = chance.pick([0, 0.01])
  again(sim, chance.between(60_000, 240_000), () => {
    ring.forEach((seller, index) => {
      const buyer = ring[(index + 1) % ring.length] ?? ''
      sim.later(index * (gap + step), () => {
        const price = Math.floor((sim.best('BUY') + sim.best('SELL')) / 2)
        // With no room inside the spread the match would be with someone else.
        if (price <= sim.best('BUY')) return
        const qty = Math.round(lots * (1 + noise * chance.fraction()))
        const [first, second, side] = chance.oneIn(2)
          ? ([seller, buyer, 'SELL'] as const)
          : ([buyer, seller, 'BUY'] as const)
        const orderId = sim.limit(first, side, price, qty)
        sim.later(gap, () => {
          const taken = sim.limit(second, other(side), price, qty)
          sim.cancel(first, orderId)
          sim.cancel(second, taken)
        })
      })
    })
  })
  return ring
}

const farm: Cheat = (sim) => {
  const { chance } = sim
  const accounts = joinAccounts(sim, chance.between(4, 14), 0)
  const [from, spread] = [chance.fraction() * 0.6, chance.fraction() * 0.08]
  const [lots, noise] = [chance.between(45_000, 75_000), chance.fraction() * 0.4]
  const season = sim.end - sim.now
  accounts.forEach((account, index) => {
    sim.later(60_000 + season * (from + spread * chance.fraction()), () => {
      const qty = Math.round(lots * (1 + noise * chance.fraction()))
      const side = index % 2 === 0 ? 'BUY' : 'SELL'
      sim.limit(account, side, sim.last * (side === 'BUY' ? 1.02 : 0.98), qty)
    })
  })
  return accounts
}

const hand: Cheat = (sim) => {
  const { chance } = sim
  const accounts = joinAccounts(sim, chance.between(2, 8), chance.pick([0, 0, 600_000]))
  const [gap, jitter, isScaled] = [chance.between(0, 60), chance.between(0, 3), chance.oneIn(2)]
  const isOpposite = chance.oneIn(4)
  again(sim, chance.between(10_000, 60_000), () => {
    const [side, qty] = [chance.pick(['BUY', 'SELL'] as const), chance.between(50, 1_500)]
    const isMarket = chance.oneIn(2)
    accounts.forEach((account, index) => {
      sim.later(index * gap + jitter * chance.fraction(), () => {
        const own = isOpposite && index % 2 === 1 ? other(side) : side
        const lots = isScaled ? Math.ceil(qty * (0.5 + chance.fraction())) : qty
        if (isMarket) sim.market(account, own, lots)
        else sim.limit(account, own, sim.last * (own === 'BUY' ? 0.999 : 1.001), lots)
      })
    })
  })
  return accounts
}

const stuffing: Cheat = (sim) => {
  const { chance } = sim
  const [account = ''] = joinAccounts(sim, 1, chance.pick([0, 20_000, 60_000]))
  const [life, gap, burst] = [chance.between(1, 40), chance.between(2, 60), chance.between(20, 150)]
  again(sim, chance.between(20_000, 200_000), () => {
    for (let index = 0; index < burst; index += 1) {
      sim.later(index * gap, () => {
        const side = chance.pick(['BUY', 'SELL'] as const)
        const id = sim.limit(account, side, sim.last * (side === 'BUY' ? 0.998 : 1.002), chance.between(1, 100))
        sim.later(life, () => sim.cancel(account, id))
      })
    }
  })
  return [account]
}

const snipe: Cheat = (sim) => {
  const { chance } = sim
  const [account = ''] = joinAccounts(sim, 1, chance.pick([0, 60_000, 120_000]))
  // The victim quotes slowly around an old price.
  sim.join(
    'victim',
    () => {
      sim.cancelAll('victim')
      sim.limit('victim', 'BUY', sim.fair - 15, 2_000)
      sim.limit('victim', 'SELL', sim.fair + 15, 2_000)
      return chance.between(1_500, 4_000)
    },
    1,
  )
  const [reaction, lots] = [chance.between(0, 4), chance.between(20, 500)]
  let last = sim.last
  sim.onMove(() => {
    const isUp = sim.last > last
    last = sim.last
    sim.later(reaction, () => {
      const resting = sim.openOrders('victim').find(({ side }) => side === (isUp ? 'SELL' : 'BUY'))?.price ?? 0
      if (resting === 0 || resting !== sim.best(isUp ? 'SELL' : 'BUY')) return
      sim.cancel(account, sim.limit(account, isUp ? 'BUY' : 'SELL', resting, lots))
    })
  })
  return [account]
}

export const CHEATS: readonly (readonly [CheatKind, Cheat])[] = [
  ['price-pushing', pushing],
  ['circular-trading', circle],
  ['rank-farming', farm],
  ['one-hand', hand],
  ['quote-stuffing', stuffing],
  ['sniping', snipe],
]
