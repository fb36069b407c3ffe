/**
 * The explanation of one order in a dialog: the text of `papertape why`, or that command if the page has no room for it.
 */
import { el } from '../parts/dom.ts'
import { commandLine } from './copy-button.ts'
import type { PageRun } from '../../src/report/page/page-data.ts'

const dialog = document.createElement('dialog')
dialog.className = 'story'
dialog.setAttribute('aria-labelledby', 'story-title')
// A click beside it closes it.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})

export function tellStory({ stories, storyCommand }: PageRun, key: string): void {
  // A key such as `constructor` is a name like any other.
  const lines = Object.hasOwn(stories, key) ? stories[key] : undefined
  const close = el('button', { type: 'button', class: 'small' }, 'Close')
  close.addEventListener('click', () => dialog.close())
  const head = el('div', { class: 'head' }, el('h2', { id: 'story-title' }, `Order ${key}`), close)
  dialog.replaceChildren(head, ...(lines === undefined ? elsewhere(storyCommand, key) : [storyText(lines)]))
  if (!dialog.isConnected) document.body.append(dialog)
  if (!dialog.open) dialog.showModal()
}

const storyText = (lines: readonly string[]): HTMLElement =>
  el('pre', { tabindex: '0', role: 'region', 'aria-label': 'Explanation of the order' }, lines.join('\n'))

function elsewhere(command: string | null, key: string): readonly HTMLElement[] {
  if (command === null) return [el('p', {}, 'This run has no explanation of the order.')]
  const line = command.replace('ORDER', () => key)
  return [
    el('p', {}, 'This page does not explain every order. To explain this one, run:'),
    commandLine(line, 'Copy the command'),
  ]
}
