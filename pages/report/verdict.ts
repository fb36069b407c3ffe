/**
 * The result of a run: one sentence, the key figures, then the reasons for caution.
 */
import type { HeadRun } from '../../src/report/page/page-head.ts'
import { el } from '../parts/dom.ts'
import { withCode } from '../parts/with-code.ts'
import { figureTerm, figureValue } from './figures.ts'

const GLYPHS = { good: '▲', bad: '▼', plain: '●' } as const

export function verdictOf({ name, period, verdict }: HeadRun, isNamed: boolean): HTMLElement {
  const { headline, tone, figures, doubts, notes } = verdict
  const glyph = el('span', { class: `glyph ${tone}`, 'aria-hidden': 'true' }, GLYPHS[tone])
  const cards = figures.map((figure) =>
    el('div', { class: 'card' }, el('dt', {}, figureTerm(figure)), el('dd', {}, figureValue(figure))),
  )
  return el(
    'div',
    { class: 'verdict' },
    ...(isNamed ? [el('h3', {}, name), el('p', { class: 'quiet number' }, period)] : []),
    el('p', { class: 'headline' }, glyph, ...withWholeTimes(headline)),
    el('dl', { class: 'cards' }, ...cards),
    doubts.length === 0
      ? el('p', { class: 'quiet' }, 'No reasons for caution were found.')
      : el(
          'div',
          { class: 'doubts' },
          el('h3', {}, 'Reasons for caution'),
          el(
            'ul',
            {},
            ...doubts.map(({ text, why }) =>
              why === ''
                ? el('li', {}, ...withCode(sentence(text)))
                : el('li', {}, el('strong', {}, sentence(text)), ' ', ...withCode(why)),
            ),
          ),
        ),
    ...(notes.length === 0 ? [] : [notesOf(notes)]),
  )
}

const notesOf = (notes: readonly string[]): HTMLElement =>
  el(
    'details',
    { class: 'notes' },
    el('summary', {}, `Notes on this run (${notes.length})`),
    el('ul', { class: 'sentences' }, ...notes.map((note) => el('li', {}, ...withCode(note)))),
  )

/** A moment is not broken at its dashes. */
const withWholeTimes = (text: string): readonly (HTMLElement | string)[] =>
  text
    .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
    .map((part, index) => (index % 2 === 0 ? part : el('span', { class: 'whole' }, part)))

/** A separate sentence. */
const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.')
