/**
 * Shapes of a drawing, and a place where it is drawn again for every width: it prints as it looks.
 */
import { el } from '../parts/dom.ts'

const NAMESPACE = 'http://www.w3.org/2000/svg'

export function shape(tag: string, attributes: Readonly<Record<string, string | number>>, text?: string): SVGElement {
  const element = document.createElementNS(NAMESPACE, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  if (text !== undefined) element.textContent = text
  return element
}

/** Text of a shape on hover. */
export function titled(element: SVGElement, text: string): SVGElement {
  element.append(shape('title', {}, text))
  return element
}

/** The whole of a drawing; `label` is for who cannot see it. */
export function picture(width: number, height: number, label: string, ...shapes: readonly SVGElement[]): SVGElement {
  const element = shape('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label })
  element.append(...shapes)
  return element
}

/** A place of its own for a drawing: it is made again whenever there is more room, or less. */
export function drawnIn(place: HTMLElement, id: string, draw: (width: number) => SVGElement): void {
  const frame = el('div', { class: 'drawn', id })
  place.append(frame)
  let width = 0
  new ResizeObserver(() => {
    const now = Math.floor(frame.clientWidth)
    if (now === width || now === 0) return
    width = now
    frame.replaceChildren(draw(now))
  }).observe(frame)
}
