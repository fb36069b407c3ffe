/**
 * The balances that the journal told last, so that a line tells those alone that changed.
 */
import { ExactBalance } from '../../strategy/exact-balance.ts'
import type { OwnBalance, OwnBalances } from '../../strategy/own-order.ts'
import { balanceText } from './journal-text.ts'
import { quoted } from './quoted.ts'

export class ReportedBalances {
  readonly #toldByAsset = new Map<string, OwnBalance>()

  /** As a JSON object by asset; an empty one when nothing changed. */
  changes(balances: OwnBalances): string {
    let text = ''
    for (const [asset, balance] of balances) {
      const told = this.#toldByAsset.get(asset)
      if (told !== undefined && isSame(told, balance)) continue
      this.#toldByAsset.set(asset, balance)
      text += `${text === '' ? '' : ','}${quoted(asset)}:${balanceText(balance)}`
    }
    return `{${text}}`
  }
}

function isSame(told: OwnBalance, now: OwnBalance): boolean {
  if (told === now) return true
  if (told instanceof ExactBalance && now instanceof ExactBalance) return told.equals(now)
  return told.available.equals(now.available) && told.locked.equals(now.locked)
}
