/**
 * The form by which a person orders. What it sends is what was typed: the service judges it, and its words are shown.
 */
import { byId, say, setText, textOf } from '../parts/dom.ts'

export interface OrderFormOptions {
  /** @returns what came of it, in words */
  readonly place: (order: Readonly<Record<string, string>>) => Promise<string>
}

export class OrderForm {
  readonly #form = byId('order', HTMLFormElement)
  readonly #price = byId('price', HTMLInputElement)
  readonly #submit = byId('place', HTMLButtonElement)
  #symbol = ''

  constructor({ place }: OrderFormOptions) {
    this.#form.addEventListener('change', () => {
      this.#show()
    })
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      const order = this.#order()
      say(byId('order-message', HTMLElement), () => place(order))
    })
    this.#show()
  }

  setMarket(symbol: string): void {
    if (this.#symbol !== symbol) this.#price.value = ''
    this.#symbol = symbol
    this.#show()
  }

  setPrice(price: string): void {
    this.#price.value = price
  }

  /** A first price to begin from, as long as none was typed. */
  offerPrice(price: string): void {
    if (this.#price.value === '' && document.activeElement !== this.#price) this.#price.value = price
  }

  #order(): Readonly<Record<string, string>> {
    const data = new FormData(this.#form)
    const field = (name: string): string => textOf(data, name)
    const type = field('type')
    const price: Readonly<Record<string, string>> = type === 'LIMIT' ? { price: field('price') } : {}
    return { symbol: this.#symbol, side: field('side'), type, ...price, qty: field('qty') }
  }

  #show(): void {
    const { side = '', type } = this.#order()
    this.#price.disabled = type === 'MARKET'
    this.#submit.dataset.side = side
    setText(this.#submit, `${side === 'BUY' ? 'Buy' : 'Sell'} ${this.#symbol.split('_')[0] ?? ''}`)
  }
}
