/** Databento prices: integers of 10^-9 or decimals, decided by the first price. */

const DIGITS = 9
/** No price of a share or a future has so many digits before its point. */
const MIN_DIGITS = 7

export class NanoPrices {
  /** Undefined before the first price. */
  #isNano: boolean | undefined

  /** @param mayBe  false for other formats: every price is a decimal */
  constructor(mayBe: boolean) {
    if (!mayBe) this.#isNano = false
  }

  of(text: string): string {
    this.#isNano ??= /^[0-9]+$/.test(text) && text.length >= MIN_DIGITS
    if (!this.#isNano || !/^[0-9]+$/.test(text)) return text
    const digits = text.padStart(DIGITS + 1, '0')
    return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`
  }
}
