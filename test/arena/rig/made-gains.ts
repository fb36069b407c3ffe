/** Gains of players whose skill is the same, in the shapes that mislead statistics. */
import type { Chance } from '../../exchange/rig/chance.ts'

export interface GainShape {
  readonly players: number
  readonly periods: number
  /** Correlation of a gain with the one before it. */
  readonly autocorrelation?: number
  /** Share of a gain that is the market's move times the player's own exposure. */
  readonly common?: number
  /** Fat tails: Student's t of 3 degrees of freedom. */
  readonly fat?: boolean
  /** Ratio of the largest deviation of a player to the smallest. */
  readonly spread?: number
  /** Players that never trade, and players that do exactly what the first does. */
  readonly idle?: number
  readonly copies?: number
  /** Volatility that comes and goes. */
  readonly clustered?: boolean
  /** Mean gain of the first player in deviations of a gain. */
  readonly skill?: number
}

/** The sum of twelve uniform draws. */
const bell = (chance: Chance): number => chance.list(12, () => chance.fraction()).reduce((all, x) => all + x, -6)

const studentOf3 = (chance: Chance): number => {
  const square = bell(chance) ** 2 + bell(chance) ** 2 + bell(chance) ** 2
  return bell(chance) / Math.sqrt(square)
}

/** Equity at the start and after each period. */
export const madeCurves = (chance: Chance, shape: GainShape): readonly (readonly bigint[])[] =>
  madeGains(chance, shape).map((gains) => {
    let equity = 10n ** 12n
    return [equity, ...gains.map((gain) => (equity += BigInt(gain)))]
  })

function madeGains(chance: Chance, shape: GainShape): number[][] {
  const { players, periods, autocorrelation = 0, common = 0, spread = 1, idle = 0, copies = 0, skill = 0 } = shape
  const draw = (): number => (shape.fat === true ? studentOf3(chance) : bell(chance))
  const scale: number[] = []
  for (let period = 0, level = 1; period < periods; period += 1) {
    level = 0.95 * level + 0.05 * (chance.oneIn(20) ? 10 : 0.5)
    scale.push(shape.clustered === true ? level : 1)
  }
  const market = chance.list(periods, (period) => draw() * (scale[period] ?? 1))
  const gains = chance.list(players, (player) => {
    const size = spread ** (player / players)
    const exposure = chance.fraction() * 2 - 0.5
    let last = draw()
    return chance.list(periods, (period) => {
      last = autocorrelation * last + Math.sqrt(1 - autocorrelation ** 2) * draw()
      const own = last * (scale[period] ?? 1) * (1 - common) + exposure * common * (market[period] ?? 0)
      return Math.round(1e6 * size * (own + (player === 0 ? skill : 0)))
    })
  })
  for (let player = players - idle; player < players; player += 1) gains[player]?.fill(0)
  for (let player = 1; player <= copies; player += 1) gains[player] = [...(gains[0] ?? [])]
  return gains
}
