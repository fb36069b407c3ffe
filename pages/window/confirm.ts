/**
 * Asks before something is done that cannot be taken back. The first button, which does nothing, has the focus.
 */
import { byId, setText } from '../parts/dom.ts'

export interface Question {
  /** The question itself. */
  readonly title: string
  /** The consequence. */
  readonly text: string
  /** The button that does it, such as `Sell everything`. */
  readonly action: string
}

/** @returns true if the person confirms; false for Cancel and for Escape */
export function confirmed({ title, text, action }: Question): Promise<boolean> {
  const dialog = byId('confirm', HTMLDialogElement)
  const [yes, no] = [byId('confirm-yes', HTMLButtonElement), byId('confirm-no', HTMLButtonElement)]
  setText(byId('confirm-title', HTMLElement), title)
  setText(byId('confirm-text', HTMLElement), text)
  setText(yes, action)
  return new Promise((resolve) => {
    yes.onclick = () => {
      dialog.close('yes')
    }
    no.onclick = () => {
      dialog.close('no')
    }
    dialog.onclose = () => {
      resolve(dialog.returnValue === 'yes')
    }
    dialog.returnValue = 'no'
    dialog.showModal()
    no.focus()
  })
}
