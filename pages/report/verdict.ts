/**
 * The result of a run: one sentence, the key figures, then the reasons for caution.
 */
import type { PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { withCode } from '../parts/with-code.ts'
import { figureTerm, figureValue } from './figures.ts'

const GLYPHS = { good: '▲', bad: '▼', plain: '●' } as const

/** `2024-01-01 to 2024-01-30 UTC`; empty for a run without equity. */
export function periodOf({ account }: PageRun): string {
  const [from, to] = [account.equity.times[0], account.equity.times.at(-1)].map((ms) =>
    ms === undefined ? '' : new Date(ms).toISOString().slice(0, 10),
  )
  return from === undefined || from === '' ? '' : `${from === to ? from : `${from} to ${to ?? ''}`} UTC`
}

export function verdictOf(run: PageRun, isNamed: boolean): HTMLElement {
  const { name, verdict } = run
  const { headline, tone, figures, doubts, notes } = verdict
  const glyph = el('span', { class: `glyph ${tone}`, 'aria-hidden': 'true' }, GLYPHS[tone])
  const cards = figures.map((figure) =>
    el('div', { class: 'card' }, el('dt', {}, figureTerm(figure)), el('dd', {}, figureValue(figure))),
  )
  return el(
    'div',
    { class: 'verdict' },
    ...(isNamed ? [el('h3', {}, name), el('p', { class: 'quiet number' }, periodOf(run))] : []),
    el('p', { class: 'headline' }, glyph, headline),
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

/** As a sentence of its own. */
const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')
