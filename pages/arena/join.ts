/** The form to join a season: shows the API key once. */
import { byId, setText } from '../parts/dom.ts'

const message = byId('message', HTMLParagraphElement)

interface Joined {
  readonly name: string
  readonly key: string
}

interface Refused {
  readonly error: { readonly message: string }
}

async function join(): Promise<void> {
  const name = byId('name', HTMLInputElement).value.trim()
  const code = decodeURIComponent(location.pathname.split('/').at(-1) ?? '')
  const response = await fetch('/join', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(name === '' ? { code } : { code, name }),
  })
  const answer = (await response.json()) as Joined | Refused
  if ('error' in answer) {
    setText(message, answer.error.message)
    return
  }
  setText(message, `You are in as ${answer.name}. Your API key is shown only now: keep it.`)
  setText(byId('key', HTMLParagraphElement), answer.key)
  byId('join', HTMLFormElement).hidden = true
}

byId('join', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  join().catch((error: unknown) => {
    setText(message, String(error))
  })
})
