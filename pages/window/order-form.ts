/**
 * The form by which a person orders. What it sends is what was typed: the service judges it, and its words are shown.
 * Before an order that would trade far from the market, it asks.
 */
import { byId, say, setText, textOf } from '../parts/dom.ts'
import { confirmed } from './confirm.ts'
import { farOrderQuestion, type FormOrder } from './far-order.ts'
import type { WindowBook } from '../../src/server/window/window-frame.ts'

export interface OrderFormOptions {
  /** @returns what came of it, in words */
  readonly place: (order: FormOrder) => Promise<string>
  /** The book as last seen; undefined before the first. */
  readonly book: () => WindowBook | undefined
}

export class OrderForm {
  readonly #form = byId('order', HTMLFormElement)
  readonly #price = byId('price', HTMLInputElement)
  readonly #submit = byId('place', HTMLButtonElement)
  #symbol = ''

  constructor({ place, book }: OrderFormOptions) {
    this.#form.addEventListener('change', () => {
      this.#show()
    })
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      const order = this.#order()
      say(byId('order-message', HTMLElement), async () => {
        const question = farOrderQuestion(order, book())
        return question === undefined || (await confirmed(question)) ? place(order) : 'not sent'
      })
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

  #order(): FormOrder {
    const data = new FormData(this.#form)
    const field = (name: string): string => textOf(data, name)
    const type = field('type')
    const price = type === 'LIMIT' ? { price: field('price') } : {}
    return { symbol: this.#symbol, side: field('side'), type, ...price, qty: field('qty') }
  }

  #show(): void {
    const { side, type } = this.#order()
    this.#price.disabled = type === 'MARKET'
    this.#submit.dataset.side = side
    setText(this.#submit, `${side === 'BUY' ? 'Buy' : 'Sell'} ${this.#symbol.split('_')[0] ?? ''}`)
  }
}
