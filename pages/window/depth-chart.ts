/**
 * Depth of a book: the total quantity that rests between the best price and each other price, bids to the left, asks to
 * the right.
 *
 * Both sides are drawn over the same distance from the middle, as far as the shorter of them reaches.
 */
import type { WindowBook, WindowLevels } from '../../src/server/window/window-frame.ts'
import { byId, el, setText } from '../parts/dom.ts'
import { grouped, trimmed } from '../parts/words.ts'

const SVG = 'http://www.w3.org/2000/svg'
const [WIDTH, HEIGHT, FLOOR] = [800, 220, 219]

export class DepthChart {
  readonly #bids = svg('path', { class: 'bids-area' })
  readonly #asks = svg('path', { class: 'asks-area' })
  readonly #cursor = svg('line', { class: 'cursor', y1: '0', y2: String(FLOOR) })
  readonly #labels = [el('span'), el('span'), el('span')]
  readonly #words = byId('depth-words', HTMLElement)
  #book: WindowBook | undefined
  #asset = ''
  /** Prices at the left and the right edge. */
  #span: readonly [number, number] = [0, 0]
  /** Share of the width at which the pointer is. */
  #pointer: number | undefined

  constructor(place: HTMLElement) {
    const floor = svg('line', { class: 'floor', x1: '0', x2: String(WIDTH), y1: String(FLOOR), y2: String(FLOOR) })
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' })
    picture.append(this.#bids, this.#asks, floor, this.#cursor)
    place.append(picture, el('p', { class: 'labels quiet number' }, ...this.#labels))
    picture.addEventListener('pointermove', ({ clientX }) => {
      const { left, width } = picture.getBoundingClientRect()
      this.#pointer = (clientX - left) / width
      this.#read()
    })
    picture.addEventListener('pointerleave', () => {
      this.#pointer = undefined
      this.#read()
    })
  }

  show(book: WindowBook, asset: string): void {
    this.#book = book
    this.#asset = asset
    const [bid, ask] = [priceOf(book.bids[0]), priceOf(book.asks[0])]
    const [low, high] = [priceOf(book.bids.at(-1)), priceOf(book.asks.at(-1))]
    const middle = bid > 0 && ask > 0 ? (bid + ask) / 2 : Math.max(bid, ask)
    const reach = Math.min(...[middle - low, high - middle].filter((each) => each > 0 && each < middle))
    const side = Number.isFinite(reach) ? reach : middle / 1_000
    this.#span = [middle - side, middle + side]
    const most = Math.max(totalTo(book.bids, middle - side), totalTo(book.asks, middle + side), Number.MIN_VALUE)
    const y = (total: number): number => FLOOR - (total / most) * (FLOOR - 8)
    this.#bids.setAttribute('d', this.#area(book.bids, y, 0))
    this.#asks.setAttribute('d', this.#area(book.asks, y, WIDTH))
    const digits = book.bids[0]?.[0].split('.')[1]?.length ?? book.asks[0]?.[0].split('.')[1]?.length ?? 0
    const prices =
      middle === 0 ? ['', '', ''] : [middle - side, middle, middle + side].map((each) => each.toFixed(digits))
    this.#labels.forEach((label, index) => {
      setText(label, grouped(prices[index] ?? ''))
    })
    this.#read()
  }

  #x(price: number): number {
    const [from, to] = this.#span
    return ((price - from) / (to - from)) * WIDTH
  }

  /** Steps from the best price outward. @param end  edge of the side, in pixels */
  #area(levels: WindowLevels, y: (total: number) => number, end: number): string {
    const [best] = levels
    if (best === undefined) return ''
    const steps = levels.map(
      ([price, , total]) => `H${this.#x(Number(price)).toFixed(1)}V${y(Number(total)).toFixed(1)}`,
    )
    return `M${this.#x(Number(best[0])).toFixed(1)} ${FLOOR}${steps.join('')}H${end}V${FLOOR}Z`
  }

  #read(): void {
    const book = this.#book
    if (book === undefined) return
    const [bids, asks] = [book.bids, book.asks]
    this.#cursor.toggleAttribute('hidden', this.#pointer === undefined)
    if (this.#pointer === undefined) {
      const all = [bids.at(-1), asks.at(-1)].map((level) => (level === undefined ? 'none' : trimmed(level[2])))
      const within = `${bids.length} and ${asks.length} price levels`
      setText(this.#words, `${all[0] ?? ''} ${this.#asset} bid, ${all[1] ?? ''} ${this.#asset} offered, on ${within}`)
      return
    }
    const [from, to] = this.#span
    const price = from + this.#pointer * (to - from)
    this.#cursor.setAttribute('x1', String(this.#pointer * WIDTH))
    this.#cursor.setAttribute('x2', String(this.#pointer * WIDTH))
    const isBid = this.#pointer < 0.5
    const level = (isBid ? bids : asks).findLast(([each]) => (isBid ? Number(each) >= price : Number(each) <= price))
    const reached = `${trimmed(level?.[2] ?? '0')} ${this.#asset}`
    setText(this.#words, `${reached} ${isBid ? 'bid' : 'offered'} up to a price of ${grouped(level?.[0] ?? '–')}`)
  }
}

const priceOf = (level: WindowLevels[number] | undefined): number => Number(level?.[0] ?? 0)

/** Total of the levels up to a price, for the height of the drawing. */
function totalTo(levels: WindowLevels, price: number): number {
  const best = priceOf(levels[0])
  const within = levels.findLast(([each]) => Math.abs(Number(each) - best) <= Math.abs(price - best))
  return Number(within?.[2] ?? 0)
}

function svg(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}
