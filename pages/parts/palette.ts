/**
 * Colours of the page for what draws on a canvas, which no style reaches.
 *
 * Invariant: on paper they are the light ones, whatever the screen shows.
 */

const paints = new Set<() => void>()

/** Value by its name in `palette.css`, such as `--accent`, for the scheme that is in effect. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

/** Paints at once, and again whenever the reader turns to dark, to light or to paper. */
export function paintAlways(paint: () => void): void {
  paint()
  paints.add(paint)
}

/** Ends what `paintAlways` began. */
export function paintNoMore(paint: () => void): void {
  paints.delete(paint)
}

/** Whether the page is being printed. */
export const isOnPaper = (): boolean => document.documentElement.hasAttribute('data-paper')

/** Paints again what `paintAlways` painted. */
export function repaint(): void {
  for (const paint of paints) paint()
}

function turn(isPaper: boolean): void {
  document.documentElement.toggleAttribute('data-paper', isPaper)
  repaint()
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => turn(false))
addEventListener('beforeprint', () => turn(true))
addEventListener('afterprint', () => turn(false))
