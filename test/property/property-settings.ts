/**
 * Settings of the property tests, decided once for a whole run of the tests: vitest.config.ts makes them of the
 * environment, and every test file gets the same.
 *
 * - `PROPERTY_SEED`: an integer from 0 to 2^31 - 1, or `random` for one that no one has tried. Without it the seed is the same
 *   everywhere, so that a run of CI can be had again; `PROPERTY_SEED=random npm test` is how to look elsewhere, and prints its seed.
 * - `PROPERTY_TIMES`: how many times as long they look, such as 10, or 0.25 for a quarter. Without it a quarter in `npm test`, and the
 *   whole in `npm run test:slow`.
 *
 * Invariant: whatever draws by chance in a test draws from this seed, or from one that is written in the test because
 * the test is about what that seed gives. A failure prints `again: ` and the one command that repeats it
 * (property-setup.ts).
 */

export interface PropertySettings {
  readonly seed: number
  readonly times: number
}

const SEED = 20_250_101
const SEEDS = 2 ** 31
/** Leaves room for the seeds that a script goes on to. */
const DRAWN_SEEDS = 2 ** 30

declare module 'vitest' {
  interface ProvidedContext {
    readonly property: PropertySettings
  }
}

/**
 * @param drawSeed  for `random`
 * @param usualTimes  of the suite
 * @throws {RangeError} naming the variable that is wrong
 */
export function propertySettings(
  env: NodeJS.ProcessEnv,
  drawSeed: (below: number) => number,
  usualTimes = 1,
): PropertySettings {
  const { PROPERTY_SEED: seed, PROPERTY_TIMES: times } = env
  return {
    seed: seed === 'random' ? drawSeed(DRAWN_SEEDS) : integer('PROPERTY_SEED', seed ?? SEED, 0, SEEDS - 1),
    times: times === undefined ? usualTimes : factor('PROPERTY_TIMES', times),
  }
}

function integer(name: string, text: string | number, min: number, max: number): number {
  const value = /^[0-9]+$/.test(String(text)) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new RangeError(`${name}: expected an integer from ${min} to ${max}, got '${text}'`)
}

function factor(name: string, text: string): number {
  const value = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= 1_000_000) return value
  throw new RangeError(`${name}: expected a number above 0, such as 10 or 0.25, got '${text}'`)
}
