import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSavedMarkets } from '../../../src/adapter/live/open-live-account.ts'
import { InputError } from '../../../src/domain/errors.ts'
import { saveMarkets } from '../../../src/store/state/live/persisted-facts.ts'
import type { PersistedIntent } from '../../../src/store/state/live/persisted-intent.ts'
import { LiveState } from '../../../src/store/state/live/live-state.ts'
import { market } from '../../exchange/rig/configs.ts'
import { savedIntent } from '../../store/rig/saved-intents.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const BTC = { symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 8 }
const listed = (changes: Partial<typeof BTC>): readonly ReturnType<typeof market>[] => [
  market('ETH_USD'),
  market('BTC_USD', { ...BTC, ...changes }),
]
let made = 0

function stateWith(changes: Partial<PersistedIntent>): LiveState {
  const state = LiveState.openOrMake(join(folder, `live-${(made += 1)}.db`))
  saveMarkets(state, [BTC])
  state.save(savedIntent(7, changes))
  return state
}

describe('the markets of an account that was there before', () => {
  it.each([
    [{ pricePrecision: 3 }, 'had pricePrecision 2 and qtyPrecision 8 and now has pricePrecision 3 and qtyPrecision 8'],
    [{ qtyPrecision: 7 }, 'had pricePrecision 2 and qtyPrecision 8 and now has pricePrecision 2 and qtyPrecision 7'],
  ])('are refused with %o, because intents would be misread', (changes, message) => {
    const check = (): void => checkSavedMarkets('/state', stateWith({ state: 'PLACED', orderId: 'o' }), listed(changes))
    expect(check).toThrow(InputError)
    expect(check).toThrow(`/state: market BTC_USD ${message}, but its intent 7 is not finished: `)
  })

  it('are refused without one that has an intent', () => {
    const state = stateWith({ state: 'QUARANTINED' })
    expect(() => checkSavedMarkets('/state', state, [market('ETH_USD')])).toThrow('BTC_USD is no longer listed')
  })

  it.each<readonly [string, Partial<PersistedIntent>, Partial<typeof BTC>]>([
    ['as they were', {}, {}],
    ['when all of the intents are finished', { state: 'REFUSED', isFinished: true }, { qtyPrecision: 7 }],
  ])('are taken %s', (_, changes, precision) => {
    expect(() => checkSavedMarkets('/state', stateWith(changes), listed(precision))).not.toThrow()
  })
})
