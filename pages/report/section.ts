/**
 * A part of the page: its heading, what belongs beside that, and its content.
 */
import { el } from '../parts/dom.ts'

type Child = Node | string

export function section(
  id: string,
  title: string,
  beside: readonly Child[],
  ...content: readonly Child[]
): HTMLElement {
  const head = el('div', { class: 'head' }, el('h2', { id: `${id}-title` }, title), ...beside)
  return el('section', { id, class: 'panel', 'aria-labelledby': `${id}-title` }, head, ...content)
}

/** A part within one. */
export const part = (title: string, ...content: readonly Child[]): HTMLElement =>
  el('div', { class: 'part' }, el('h3', {}, title), ...content)

/** A list of what the lines of a chart are, with what each is at; the values can be set. */
export function legend(
  items: readonly { readonly name: string; readonly colour: string; readonly isDashed?: boolean }[],
): {
  readonly element: HTMLElement
  readonly show: (texts: readonly string[]) => void
} {
  const values = items.map(() => el('span', { class: 'number' }))
  const element = el(
    'ul',
    { class: 'legend' },
    ...items.map(({ name, colour, isDashed = false }, index) => {
      const swatch = el('span', { class: isDashed ? 'swatch dashed' : 'swatch', 'aria-hidden': 'true' })
      swatch.style.setProperty('--swatch', `var(${colour})`)
      return el('li', {}, swatch, name, values[index] ?? '')
    }),
  )
  const show = (texts: readonly string[]): void => {
    values.forEach((value, index) => {
      value.textContent = texts[index] ?? ''
    })
  }
  return { element, show }
}
