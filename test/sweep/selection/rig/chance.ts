/**
 * Chance for tests of selection: uniform by Park and Miller's generator, and normal by Box and Muller's way.
 */

/** In [0, 1). */
export function chance(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }
  // The first draws of small seeds are all alike.
  for (let round = 0; round < 5; round += 1) next()
  return next
}

/** Standard normal draws. */
export function normalDraws(seed: number): () => number {
  const random = chance(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Returns of a day of 1 % deviation, trial by trial: `drift` is the daily Sharpe ratio that each truly has. */
export function normalTrials(seed: number, trials: number, periods: number, drift = 0): number[][] {
  const draw = normalDraws(seed)
  return Array.from({ length: trials }, () => Array.from({ length: periods }, () => 0.01 * (draw() + drift)))
}
