/**
 * The verdict on a sweep, before anything else: a sentence, the figures that decide, and what makes it doubtful.
 */
import type { PageFigure, PageVerdict } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'

export function showVerdict(place: HTMLElement, { headline, tone, figures, doubts }: PageVerdict): void {
  place.append(el('p', { class: `headline ${tone}` }, headline), figureList(figures))
  if (doubts.length === 0) return
  const items = doubts.map(({ text, why }) => el('li', {}, el('strong', {}, text), ` ${why}`))
  place.append(el('ul', { class: 'doubts' }, ...items))
}

/** Figures as they are shown, the exact ones and their definitions on hover. */
export function figureList(figures: readonly PageFigure[]): HTMLElement {
  const items = figures.map(({ label, text, exact, definition, tone }) => {
    const title = [definition, exact === text ? '' : exact].filter((part) => part !== '').join(' Exactly: ')
    return el('div', title === '' ? {} : { title }, el('dt', {}, label), el('dd', { class: tone }, text))
  })
  return el('dl', { class: 'figures' }, ...items)
}
