/**
 * Figures as a run has them: a name with its definition, and the text that was made of it.
 */
import type { FigureGroup, PageFigure } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { term } from './term.ts'

export const toneClass = (tone: PageFigure['tone']): string => (tone === 'plain' ? '' : tone)

/** Meaning, exact value and place of a figure. */
const linesOf = ({ definition, exact, text, path }: PageFigure): readonly string[] => [
  definition,
  exact === text || exact === '' ? '' : `Exact value: ${exact}`,
  `In run.json: ${path}`,
]

export const figureTerm = (figure: PageFigure): HTMLElement => term(figure.label, ...linesOf(figure))

export function figureValue(figure: PageFigure): HTMLElement {
  return el(
    'span',
    { class: `number ${toneClass(figure.tone)}`, 'data-figure': figure.path, 'data-exact': figure.exact },
    figure.text,
  )
}

/** Groups beside each other as far as there is room. */
export function figureGroups(groups: readonly FigureGroup[]): HTMLElement {
  return el(
    'div',
    { class: 'groups' },
    ...groups.map(({ title, figures }) =>
      el(
        'div',
        { class: 'group' },
        el('h3', {}, title),
        el(
          'dl',
          { class: 'figures' },
          ...figures.map((figure) =>
            el('div', {}, el('dt', {}, figureTerm(figure)), el('dd', {}, figureValue(figure))),
          ),
        ),
      ),
    ),
  )
}
