/**
 * Words that have a definition: it opens over the page when one points at them, and when the keyboard comes to them.
 *
 * Invariant: Escape closes it, the pointer may go into it, and who hears the page is reported it with the word.
 */
import { el } from '../parts/dom.ts'

const GAP = 6
const EDGE = 8

const tip = el('div', { class: 'tip', role: 'tooltip', id: 'tip', hidden: '' })
let shown: HTMLElement | undefined
let count = 0

/** Lines of definitions, of which the last may be how the figure is named in the files. */
const linesOf = new WeakMap<HTMLElement, readonly string[]>()

/**
 * Gives an element that takes the focus a definition.
 *
 * @param lines  shown one below the other; none of them says that there is none
 */
export function define(element: HTMLElement, lines: readonly string[]): void {
  const reported = lines.filter((line) => line !== '')
  if (reported.length === 0) return
  count += 1
  const id = `definition-${count}`
  element.append(el('span', { id, hidden: '' }, reported.join(' ')))
  element.setAttribute('aria-describedby', id)
  element.classList.add('defined')
  linesOf.set(element, reported)
}

/** A word of its own, with its definition. */
export function term(text: string, ...lines: readonly string[]): HTMLElement {
  if (lines.every((line) => line === '')) return el('span', {}, text)
  const button = el('button', { type: 'button', class: 'term' }, text)
  define(button, lines)
  return button
}

/** Listens on the whole page, once. */
export function showDefinitions(): void {
  document.body.append(tip)
  const definedAt = ({ target }: Event): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('.defined') : null
  const over = (event: Event): void => {
    if (event.target instanceof Node && tip.contains(event.target)) return
    const element = definedAt(event)
    if (element === null) close()
    else open(element)
  }
  document.addEventListener('pointerover', over)
  document.addEventListener('focusin', over)
  document.addEventListener('focusout', close)
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })
  // Where the focus brings its place into view, or the pointer stays on it, the definition comes along.
  const follow = (): void => {
    if (shown !== undefined && (shown === document.activeElement || shown.matches(':hover'))) place(shown)
    else close()
  }
  addEventListener('scroll', follow, { passive: true, capture: true })
}

function open(element: HTMLElement): void {
  if (element === shown) return
  shown = element
  // In a dialog it has to be part of it: all else is below.
  const parent = element.closest('dialog') ?? document.body
  if (tip.parentElement !== parent) parent.append(tip)
  tip.replaceChildren(...(linesOf.get(element) ?? []).map((line) => el('p', {}, line)))
  tip.hidden = false
  place(element)
}

function place(element: HTMLElement): void {
  const box = element.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tip
  const left = Math.max(EDGE, Math.min(box.left, document.documentElement.clientWidth - width - EDGE))
  const isBelow = box.bottom + GAP + height < innerHeight || box.top < height + GAP
  tip.style.left = `${left}px`
  tip.style.top = `${isBelow ? box.bottom + GAP : box.top - GAP - height}px`
}

function close(): void {
  shown = undefined
  tip.hidden = true
}
