/**
 * The grid of a sweep: every combination of its parameters' values, the last parameter varying fastest.
 *
 * Invariant: the same parameters, condition and seed give the same runs in the same order.
 * Limits: 100,000 points; a condition is tested for at most 5,000,000 combinations, of more only for points drawn at
 * random.
 */
import { InputError, type Place } from '../domain/errors.ts'
import { setting, worded } from '../domain/setting-name.ts'
import { seededRandom } from '../runtime/strategies/seeded-random.ts'

export type Params = Readonly<Record<string, string>>

export interface GridOptions {
  /** Values by parameter, in the given order. */
  readonly params: ReadonlyMap<string, readonly string[]>
  /** False for an excluded combination; default: none is excluded. */
  readonly isWanted?: ((params: Params) => boolean) | undefined
  /** Number of randomly drawn points; default: the whole grid. */
  readonly random?: number | undefined
  /** A 32-bit integer. */
  readonly seed: number
}

/** Maximum number of runs of one sweep. */
export const MAX_POINTS = 100_000
/** Maximum number of combinations that a condition is evaluated for. */
const MAX_LOOKED_AT = 5_000_000
/** Maximum draws per wanted point, for conditions that exclude most of them. */
const DRAWS_A_POINT = 1_000

const PLACE: Place = setting('grid')

/**
 * @returns at least one point
 * @throws {InputError} for a grid that is too large, or if the condition excludes everything
 */
export function gridOf(options: GridOptions): readonly Params[] {
  const { params, isWanted = (): boolean => true, random } = options
  const size = [...params.values()].reduce((all, values) => all * BigInt(values.length), 1n)
  const points =
    random !== undefined && size > BigInt(MAX_LOOKED_AT)
      ? drawn(options, Number(size), random, isWanted)
      : sampled(wanted(options, size, isWanted), random, options.seed)
  if (points.length > 0) return points
  throw new InputError(setting('where'), `excludes all of the ${size} combinations`)
}

/** All points that satisfy the condition. */
function wanted({ params, random }: GridOptions, size: bigint, isWanted: (params: Params) => boolean): Params[] {
  if (size > BigInt(MAX_LOOKED_AT)) throw new InputError(PLACE, tooMany(`${size} combinations`, MAX_LOOKED_AT))
  const points: Params[] = []
  let count = 0
  for (let index = 0; index < Number(size); index += 1) {
    const point = pointAt(params, index)
    if (!isWanted(point)) continue
    count += 1
    if (count <= MAX_POINTS || random !== undefined) points.push(point)
  }
  if (random === undefined && count > MAX_POINTS) throw new InputError(PLACE, tooMany(`${count} points`, MAX_POINTS))
  return points
}

const tooMany = (found: string, most: number): ReturnType<typeof worded> =>
  worded`${found}, more than ${String(most)}; use larger steps, or draw a sample with ${setting('random', '1000')}`

/** A random subset, in grid order. */
function sampled(points: readonly Params[], count: number | undefined, seed: number): readonly Params[] {
  if (count === undefined || count >= points.length) return points
  const random = seededRandom(seed)
  const order = Array.from(points.keys())
  // Partial Fisher-Yates shuffle.
  for (let index = 0; index < count; index += 1) {
    const other = index + Math.floor(random() * (order.length - index))
    const [a = 0, b = 0] = [order[index], order[other]]
    order[index] = b
    order[other] = a
  }
  const chosen = order.slice(0, count).sort((a, b) => a - b)
  return chosen.map((index) => points[index] ?? {})
}

/** Random points of a grid that is too large to be enumerated. */
function drawn(
  { params, seed }: GridOptions,
  size: number,
  count: number,
  isWanted: (params: Params) => boolean,
): readonly Params[] {
  if (!Number.isSafeInteger(size)) throw new InputError(PLACE, 'more than 2^53 combinations; use larger steps')
  const random = seededRandom(seed)
  const [seen, found] = [new Set<number>(), new Map<number, Params>()]
  for (let draw = 0; draw < count * DRAWS_A_POINT && found.size < count; draw += 1) {
    const index = Math.floor(random() * size)
    if (seen.has(index)) continue
    seen.add(index)
    const point = pointAt(params, index)
    if (isWanted(point)) found.set(index, point)
  }
  return [...found].sort(([a], [b]) => a - b).map(([, point]) => point)
}

function pointAt(params: ReadonlyMap<string, readonly string[]>, index: number): Params {
  const point: (readonly [string, string])[] = []
  let rest = index
  for (const [name, values] of [...params].reverse()) {
    point.push([name, values[rest % values.length] ?? ''])
    rest = Math.floor(rest / values.length)
  }
  return Object.fromEntries(point.reverse())
}
