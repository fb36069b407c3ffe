/** Seasons by seed: honest ones, and ones in which accounts cheat. */
import { findings } from '../../../src/arena/findings.ts'
import type { SeasonRecord } from '../../../src/arena/season-record.ts'
import { CHEATS } from './cheaters.ts'
import { joinHonest } from './honest-players.ts'
import { SeasonSim } from './season-sim.ts'

function simOf(seed: number, minutes: number | undefined): SeasonSim {
  const { chance } = new SeasonSim({
    seed: seed + 1_000_003,
    minutes: 1,
    volatility: 1,
    halfSpread: 10,
    takerMs: 1_000,
  })
  return new SeasonSim({
    seed,
    minutes: minutes ?? chance.between(30, 120),
    volatility: chance.pick([0.3, 1, 2]),
    halfSpread: chance.between(5, 40),
    takerMs: chance.pick([500, 2_000, 5_000]),
  })
}

export function honestSeason(seed: number, minutes?: number): SeasonRecord {
  const sim = simOf(seed, minutes)
  joinHonest(sim)
  return sim.run()
}

/** @returns undefined if the cheat was found, or how it was not */
export function cheatMissed(seed: number, minutes?: number): string | undefined {
  const [kind, cheat] = CHEATS[seed % CHEATS.length] ?? CHEATS[0] ?? []
  const sim = simOf(seed, minutes)
  joinHonest(sim)
  const expected = cheat?.(sim) ?? []
  const found = findings(sim.run())
  const accused = new Set(found.flatMap((each) => (each.kind === kind ? each.accounts : [])))
  const missed = expected.filter((account) => !accused.has(account))
  const wronged = found.flatMap(({ accounts }) => accounts.filter((account) => !expected.includes(account)))
  return missed.length === 0 && wronged.length === 0
    ? undefined
    : `seed ${seed}: ${kind}: missed ${missed.join(' ')}; wrongly accused ${wronged.join(' ')}`
}
