/**
 * The outcome of a run in plain words: first the sentence, then the few figures that decide, then whatever makes them doubtful.
 */
import type { PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { figureTerm, figureValue } from './figures.ts'

const GLYPHS = { good: '▲', bad: '▼', plain: '●' } as const

export function verdictOf({ name, verdict }: PageRun, isNamed: boolean): HTMLElement {
  const { headline, tone, figures, doubts, notes } = verdict
  const glyph = el('span', { class: `glyph ${tone}`, 'aria-hidden': 'true' }, GLYPHS[tone])
  const cards = figures.map((figure) =>
    el('div', { class: 'card' }, el('dt', {}, figureTerm(figure)), el('dd', {}, figureValue(figure))),
  )
  return el(
    'div',
    { class: 'verdict' },
    ...(isNamed ? [el('h3', {}, name)] : []),
    el('p', { class: 'headline' }, glyph, headline),
    el('dl', { class: 'cards' }, ...cards),
    doubts.length === 0
      ? el('p', { class: 'quiet' }, 'Nothing was found that makes it doubtful.')
      : el(
          'div',
          { class: 'doubts' },
          el('h3', {}, 'What makes it doubtful'),
          el('ul', {}, ...doubts.map(({ text, why }) => el('li', {}, el('strong', {}, sentence(text)), ' ', why))),
        ),
    ...(notes.length === 0 ? [] : [notesOf(notes)]),
  )
}

const notesOf = (notes: readonly string[]): HTMLElement =>
  el(
    'details',
    { class: 'notes' },
    el('summary', {}, `How it was made (${notes.length})`),
    el('ul', { class: 'sentences' }, ...notes.map((note) => el('li', {}, note))),
  )

/** As a sentence of its own. */
const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
