/**
 * A canvas as wide as its place, sharp on every screen, drawn again when its place or the scheme changes.
 */
import { paintAlways } from '../parts/palette.ts'

/** Pixels of the page. */
export interface Area {
  readonly width: number
  readonly height: number
}

export class Drawing {
  readonly canvas = document.createElement('canvas')
  readonly #heightFor: (width: number) => number
  readonly #draw: (context: CanvasRenderingContext2D, area: Area) => void
  #width = 0

  /**
   * @param place  gets the canvas as a child
   * @param heightFor  a width
   */
  constructor(
    place: HTMLElement,
    heightFor: (width: number) => number,
    draw: (context: CanvasRenderingContext2D, area: Area) => void,
  ) {
    this.#heightFor = heightFor
    this.#draw = draw
    place.append(this.canvas)
    // Later than now: what draws may ask for the drawing itself.
    queueMicrotask(() => paintAlways(() => this.paint()))
    new ResizeObserver(() => {
      if (Math.floor(place.clientWidth) !== this.#width) this.paint()
    }).observe(place)
  }

  paint(): void {
    const { canvas } = this
    const width = Math.floor(canvas.parentElement?.clientWidth ?? 0)
    this.#width = width
    if (width === 0) return
    const area = { width, height: Math.ceil(this.#heightFor(width)) }
    const scale = Math.min(devicePixelRatio, 3)
    canvas.width = width * scale
    canvas.height = area.height * scale
    canvas.style.width = `${width}px`
    canvas.style.height = `${area.height}px`
    const context = canvas.getContext('2d')
    if (context === null) return
    context.scale(scale, scale)
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`
    this.#draw(context, area)
  }

  /** Place of a pointer, in pixels of the drawing. */
  placeOf(event: MouseEvent): { readonly x: number; readonly y: number } {
    const { left, top } = this.canvas.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
}

/** A text cut to a width, with dots where something is missing. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let shorter = text
  while (shorter.length > 1 && context.measureText(`${shorter}…`).width > width) shorter = shorter.slice(0, -1)
  return `${shorter}…`
}
