/** Credits: amounts of an asset for an account, read from texts. */
import { InputError, type Place } from './errors.ts'
import { faultMessage, parseAmount } from './fixed-point.ts'

export interface WrittenCredit {
  readonly asset: string
  /** Decimal string of 0 or more. */
  readonly text: string
  /** Places of the amount and of the asset in the input. */
  readonly place: Place
  readonly assetPlace?: Place
}

/**
 * Amount in ledger units.
 *
 * @param scales  ledger digits by asset
 * @throws {InputError} for an asset of no market, or an invalid amount
 */
export function creditAmount(credit: WrittenCredit, scales: ReadonlyMap<string, number>): bigint {
  const { asset, text, place, assetPlace = place } = credit
  const scale = scales.get(asset)
  if (scale === undefined) {
    throw new InputError(assetPlace, `no market has the asset '${asset}'; there is ${[...scales.keys()].join(', ')}`)
  }
  const amount = parseAmount(text, scale)
  if (!amount.ok) throw new InputError(place, faultMessage(amount.fault, text, scale))
  if (amount.value < 0n) throw new InputError(place, `expected an amount of 0 or more, got '${text}'`)
  return amount.value
}
