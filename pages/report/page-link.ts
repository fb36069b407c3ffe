/**
 * Range, scale and market in the fragment of the address: a link that is copied from the browser shows the same.
 *
 * Known limit: the links to the sections replace the fragment, until the charts are moved again.
 */
import type { TimeRange } from './time-range.ts'
import { isScaleName, type ValueScale } from './value-scale.ts'

export interface LinkedView {
  readonly range: TimeRange
  readonly scale: ValueScale
  readonly market: () => string
  readonly showMarket: (symbol: string) => void
}

const WAIT_MS = 250

/** Shows what the address has, and keeps the address up to date. @returns is called when the market has changed */
export function linkView({ range, scale, market, showMarket }: LinkedView): () => void {
  const show = (): void => {
    const given = new URLSearchParams(location.hash.slice(1))
    const [from, to] = [Number(given.get('from') ?? Number.NaN), Number(given.get('to') ?? Number.NaN)]
    if (to > from) range.show({ from, to })
    const name = given.get('scale') ?? ''
    if (isScaleName(name)) scale.choose(name)
    const symbol = given.get('market')
    if (symbol !== null) showMarket(symbol)
  }
  let timer = 0
  let isFirst = true
  const write = (): void => {
    if (isFirst) return
    clearTimeout(timer)
    // Browsers allow few changes a second.
    timer = window.setTimeout(() => {
      const { from, to } = range.span
      const parts = {
        ...(!range.isWhole && { from: String(Math.round(from)), to: String(Math.round(to)) }),
        ...(scale.name !== 'linear' && { scale: scale.name }),
        ...(market() !== '' && { market: market() }),
      }
      const fragment = new URLSearchParams(parts).toString()
      const place = location.pathname + location.search
      history.replaceState(null, '', fragment === '' ? place : `${place}#${fragment}`)
    }, WAIT_MS)
  }
  range.follow(write)
  scale.follow(write)
  addEventListener('hashchange', show)
  queueMicrotask(() => {
    show()
    isFirst = false
  })
  return write
}
