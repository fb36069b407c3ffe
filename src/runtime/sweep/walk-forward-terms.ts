/**
 * The windows of a walk-forward as they are asked for: `train=30d,test=7d,anchored,purge=1h`.
 */
import type { WalkForwardPlan } from '../../analysis/selection/walk-forward.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { readLength } from '../settings/form.ts'

const EXAMPLE = 'such as train=30d,test=7d or train=30d,test=7d,anchored,purge=1h'
const LENGTHS = ['train', 'test', 'purge'] as const
const ANCHORED = 'anchored'

type LengthName = (typeof LENGTHS)[number]

/** @throws {InputError} at `place` for what is missing, unknown, or there twice */
export function walkForwardPlan(place: Place, text: string): WalkForwardPlan {
  const lengths = new Map<LengthName, number>()
  let isAnchored = false
  for (const part of text.split(',').map((each) => each.trim())) {
    const [name = '', value] = part.split(/=(.*)/s)
    const length = LENGTHS.find((each) => each === name)
    if (name === ANCHORED && value === undefined) {
      if (isAnchored) throw new InputError(place, `'${ANCHORED}' is given twice`)
      isAnchored = true
    } else if (length === undefined || value === undefined) {
      const hint = nearestNameHint(name, [...LENGTHS, ANCHORED])
      throw new InputError(place, `expected ${EXAMPLE}, got '${part}'${hint}`)
    } else {
      if (lengths.has(length)) throw new InputError(place, `'${length}' is given twice`)
      lengths.set(length, length === 'purge' && /^0[smhdw]?$/.test(value) ? 0 : readLength(place, value))
    }
  }
  const [trainMs, testMs] = [lengths.get('train'), lengths.get('test')]
  if (trainMs === undefined || testMs === undefined) {
    throw new InputError(place, `expected ${trainMs === undefined ? 'train' : 'test'} too, ${EXAMPLE}`)
  }
  return { trainMs, testMs, purgeMs: lengths.get('purge') ?? 0, isAnchored }
}
