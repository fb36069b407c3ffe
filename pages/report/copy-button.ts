/**
 * A command to be run elsewhere, and the button that copies it.
 */
import { el } from '../parts/dom.ts'

const SAID_MS = 2_000

export function commandLine(text: string, label: string): HTMLElement {
  const code = el('code', { tabindex: '0' }, text)
  const button = el('button', { type: 'button', class: 'small', 'aria-label': label }, 'Copy')
  const said = el('span', { class: 'unseen', role: 'status' })
  button.addEventListener('click', () => {
    void copied(text, code).then((isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Select it'
      said.textContent = isCopied ? 'Copied' : 'Could not be copied: it is selected'
      setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, SAID_MS)
    })
  })
  return el('div', { class: 'command' }, code, button, said)
}

/** A page that was opened from a mail may not reach the clipboard: then the text is selected. */
async function copied(text: string, code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}
