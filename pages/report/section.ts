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

export interface LegendItem {
  readonly name: string
  readonly colour: string
  readonly isDashed?: boolean
  /** Called when the line is switched on or off; without it, the line is always there. */
  readonly onToggle?: (isOn: boolean) => void
  /** The line is off at first. */
  readonly isOff?: boolean
}

/** A list of what the lines of a chart are, with what each is at; the values can be set, and some lines switched. */
export function legend(items: readonly LegendItem[]): {
  readonly element: HTMLElement
  readonly show: (texts: readonly string[]) => void
} {
  const values = items.map(() => el('span', { class: 'number' }))
  const element = el(
    'ul',
    { class: 'legend' },
    ...items.map((item, index) => el('li', { 'data-name': item.name }, ...nameOf(item), values[index] ?? '')),
  )
  const show = (texts: readonly string[]): void => {
    values.forEach((value, index) => {
      value.textContent = texts[index] ?? ''
    })
  }
  return { element, show }
}

function nameOf({ name, colour, isDashed = false, onToggle, isOff = false }: LegendItem): readonly Child[] {
  const swatch = el('span', { class: isDashed ? 'swatch dashed' : 'swatch', 'aria-hidden': 'true' })
  swatch.style.setProperty('--swatch', `var(${colour})`)
  if (onToggle === undefined) return [swatch, name]
  const button = el('button', { type: 'button', class: 'toggle', 'aria-pressed': String(!isOff) }, swatch, name)
  button.addEventListener('click', () => {
    const isOn = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(isOn))
    onToggle(isOn)
  })
  return [button]
}
