/**
 * Draws at the width of its place, and again when that changes; on paper at the width of a sheet.
 */

/** Pixels of what is printed across a sheet: portrait, A4 or Letter, without its margins. */
const SHEET = 690

const fitted = new Map<HTMLElement, (width: number) => void>()

export function fitAlways(place: HTMLElement, draw: (width: number) => void): void {
  let last = 0
  const fit = (): void => {
    const width = place.clientWidth
    if (width === 0 || width === last) return
    last = width
    draw(width)
  }
  fitted.set(place, draw)
  new ResizeObserver(fit).observe(place)
  fit()
  addEventListener('afterprint', () => {
    last = 0
    fit()
  })
}

addEventListener('beforeprint', () => {
  for (const [place, draw] of fitted) {
    if (!place.isConnected) fitted.delete(place)
    else draw(Math.min(place.clientWidth > 0 ? place.clientWidth : SHEET, SHEET))
  }
})
