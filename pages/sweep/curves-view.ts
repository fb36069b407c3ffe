/**
 * Equity of the best points in one drawing, and a button for each of them that makes it stand out in all views.
 */
import { el } from '../parts/dom.ts'
import { lineChart, type NamedLine } from './line-chart.ts'
import type { Selection } from './selection.ts'
import { drawnIn } from './shape.ts'

export function showCurves(place: HTMLElement, selection: Selection): void {
  const { curves, params } = selection.data
  if (curves.length === 0) {
    place.append(el('p', { class: 'quiet' }, 'No point has an equity curve.'))
    return
  }
  const lines = curves.map(({ point, line }, index): NamedLine => {
    const values = params.map(({ name, values, column }) => `${name} ${values[column[point] ?? -1] ?? ''}`)
    const name = values.length === 0 ? `point ${point + 1}` : values.join(', ')
    return { name, line, ...(index === 0 ? BEST : { colour: '--accent', opacity: 0.9 - 0.07 * index }) }
  })
  const strong = (): number => curves.findIndex(({ point }) => point === selection.chosen)
  const label = `Equity of the best ${lines.length} points`
  drawnIn(place, 'curves-drawn', (width) => lineChart(lines, { width, label, strong: strong() }))
  const buttons = lines.map(({ name, colour, opacity }, index) => {
    const swatch = el('span', { class: 'swatch' })
    swatch.style.setProperty('background', `var(${colour})`)
    swatch.style.setProperty('opacity', String(opacity))
    const button = el('button', { type: 'button', class: 'small', 'aria-pressed': 'false' }, swatch, name)
    button.addEventListener('click', () => {
      const point = curves[index]?.point
      selection.choose(point === selection.chosen ? undefined : point)
    })
    return button
  })
  place.append(el('div', { class: 'names' }, ...buttons))
  selection.follow(() => {
    const chosen = strong()
    place.querySelectorAll('path').forEach((path, index) => path.classList.toggle('strong', index === chosen))
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(index === chosen)))
  })
}

const BEST = { colour: '--up', opacity: 1 }
