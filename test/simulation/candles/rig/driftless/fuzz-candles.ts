/**
 * Any number of policies on driftless markets, with what a person wants to see of them. The terminal is handed in.
 */
import { bestPolicies, MAX_LUCK, type ChosenPolicy, type DriftlessOptions } from './driftless-fuzz.ts'
import { WALK_KINDS, type WalkKind } from './driftless-walk.ts'

export interface CandleFuzzEdge {
  readonly print: (line: string) => void
  /** Shows a line in place of the one before; an empty one takes it away. */
  readonly progress: (line: string) => void
}

/** @returns whether no one earned on walks that were not chosen for it */
export async function fuzzCandles(options: DriftlessOptions, { print, progress }: CandleFuzzEdge): Promise<boolean> {
  const { seed, policies } = options
  print(`seed ${seed}`)
  print('standard errors of the mean profit, the best of them in sample -> out of sample')
  let isRight = true
  for (const kind of WALK_KINDS) {
    const onPolicy = (index: number): void => {
      progress(`${kind}: ${index} of ${policies} policies`)
    }
    const best = await bestPolicies(kind, { ...options, onPolicy })
    progress('')
    print(lineOf(kind, best))
    isRight &&= best.every(({ outOfSample }) => outOfSample <= MAX_LUCK)
  }
  if (!isRight) print(`\na driftless market paid: ${againOf(options)}`)
  return isRight
}

const NAME_WIDTH = 10

const lineOf = (kind: WalkKind, best: readonly ChosenPolicy[]): string =>
  kind.padEnd(NAME_WIDTH) +
  best
    .map(({ index, inSample, outOfSample }) => `${inSample.toFixed(2)} -> ${outOfSample.toFixed(2)} (policy ${index})`)
    .join(', ')

const againOf = ({ policies, candles, seed }: DriftlessOptions): string =>
  `npm run fuzz -- candles --policies ${policies} --candles ${candles} --seed ${seed}`
