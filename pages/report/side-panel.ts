/**
 * The panel beside the charts: an order with the text of `papertape why`, or a round trip with its orders.
 *
 * Invariant: the charts can be used while it is open; Escape closes it, and the focus returns to where it was.
 */
import type { PageRow, PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'
import { firstFrom } from './candle-bars.ts'
import { commandLine } from './copy-button.ts'

/** Orders of a round trip with a button. */
const MAX_ORDERS = 40

const panel = document.createElement('dialog')
panel.className = 'explanation'
panel.setAttribute('aria-labelledby', 'explanation-title')
let cameFrom: Element | null = null

addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && panel.open) closePanel()
})

function closePanel(): void {
  const hadFocus = panel.contains(document.activeElement)
  panel.close()
  if (hadFocus && cameFrom instanceof HTMLElement) cameFrom.focus()
}

function openPanel(title: string, ...content: readonly Node[]): void {
  const close = el('button', { type: 'button', class: 'small' }, 'Close')
  close.addEventListener('click', closePanel)
  const head = el('div', { class: 'head' }, el('h2', { id: 'explanation-title' }, title), close)
  if (!panel.contains(document.activeElement)) cameFrom = document.activeElement
  panel.replaceChildren(head, ...content)
  if (!panel.isConnected) document.body.append(panel)
  if (!panel.open) panel.show()
  close.focus({ preventScroll: true })
}

export function explainOrder(run: PageRun, key: string): void {
  openPanel(`Order ${key}`, ...explanation(run, key))
}

/** A round trip: what the table has of it, and its orders, of which the first is explained. */
export function explainTrip(run: PageRun, index: number): void {
  const { columns, rows } = run.trips
  const row = rows[index]
  if (row === undefined) return
  const cells = columns.flatMap(({ label, kind }, column) => {
    const cell = row.cells[column] ?? ''
    const text = kind === 'time' ? dateTime(Number(cell)) : cell
    return cell === '' ? [] : [el('div', {}, el('dt', {}, label), el('dd', {}, text))]
  })
  const keys = ordersOf(run, row.at)
  const title = keys.length === 1 ? 'Order' : 'Orders'
  const place = el('div', { 'aria-live': 'polite' })
  const buttons = keys.slice(0, MAX_ORDERS).map((key) => {
    const button = el('button', { type: 'button', class: 'small', 'aria-pressed': 'false' }, key)
    button.addEventListener('click', () => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button))
      place.replaceChildren(...explanation(run, key))
    })
    return button
  })
  const more = keys.length > MAX_ORDERS ? [el('span', { class: 'quiet' }, `and ${keys.length - MAX_ORDERS} more`)] : []
  const group = { class: 'orders', role: 'group', 'aria-label': `${title} of the round trip` }
  openPanel(
    `Round trip ${index + 1}`,
    el('dl', { class: 'pairs' }, ...cells),
    ...(keys.length === 0 ? [] : [el('div', group, el('h3', {}, title), ...buttons, ...more)]),
    place,
  )
  buttons[0]?.click()
}

/** Orders with a fill within the trip, in the order of their fills. */
function ordersOf({ markets }: PageRun, at: PageRow['at']): readonly string[] {
  const fills = markets.find(({ symbol }) => symbol === at?.symbol)?.fills
  if (fills === undefined || at === undefined) return []
  return [...new Set(fills.orders.slice(firstFrom(fills.times, at.from), firstFrom(fills.times, at.to + 1)))]
}

function explanation({ explanations, explainCommand }: PageRun, key: string): readonly HTMLElement[] {
  // A key such as `constructor` is a name like any other.
  const lines = Object.hasOwn(explanations, key) ? explanations[key] : undefined
  return lines === undefined ? elsewhere(explainCommand, key) : [explanationText(lines)]
}

const explanationText = (lines: readonly string[]): HTMLElement =>
  el('pre', { tabindex: '0', role: 'region', 'aria-label': 'Explanation of the order' }, lines.join('\n'))

function elsewhere(command: string | null, key: string): readonly HTMLElement[] {
  if (command === null) return [el('p', {}, 'This run has no explanation of the order.')]
  const line = command.replace('ORDER', () => key)
  return [
    el('p', {}, 'This page does not explain every order. To explain this one, run:'),
    commandLine(line, 'Copy the command'),
  ]
}
