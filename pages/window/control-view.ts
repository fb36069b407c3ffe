/**
 * All that an emulator has and no service does: faults on purpose, a clock that is moved by hand, money, and the door
 * to all of it.
 */
import type { WindowClock, WindowFault, WindowWorld } from '../../src/server/window/window-frame.ts'
import type { Api } from './api.ts'
import { FAULT_WORDS, routeWords } from './fault-words.ts'
import { byId, Rows, say, setText, showOptions, textOf } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'

export interface ControlViewOptions {
  readonly api: Api
  /** Id of the user that is looked at. */
  readonly user: () => string
  /** The token was given. */
  readonly onToken: () => void
}

export class ControlView {
  readonly #faults: Rows
  readonly #api: Api

  constructor({ api, user, onToken }: ControlViewOptions) {
    this.#api = api
    const said = byId('fault-message', HTMLElement)
    this.#faults = new Rows(byId('faults', HTMLTableElement), {
      empty: 'no faults',
      action: {
        text: 'Remove',
        label: ({ cells: [fault = '', route = ''] }) => `Remove ${fault} at ${route}`,
        run: ({ key }) => {
          say(said, async () => {
            await api.control('DELETE', `/faults/${encodeURIComponent(key)}`)
            return 'removed'
          })
        },
      },
    })
    this.#listenToFaults(said)
    this.#listenToClock()
    onSubmit('money', async (field) => {
      const [asset, amount] = [field('asset'), field('amount')]
      await api.control('POST', `/users/${encodeURIComponent(user())}/credits`, { asset, amount })
      return `${amount} ${asset} credited`
    })
    onSubmit('door', (field) => {
      api.token = field('token')
      byId('door-panel', HTMLElement).hidden = true
      onToken()
      return Promise.resolve('')
    })
  }

  showWorld({ markets, isTimeVirtual, faultKinds, faultRoutes }: WindowWorld): void {
    byId('clock-panel', HTMLElement).hidden = !isTimeVirtual
    showOptions(
      byId('fault-kind', HTMLSelectElement),
      faultKinds.map((kind) => [kind, faultWords(kind)]),
    )
    showOptions(
      byId('fault-route', HTMLSelectElement),
      faultRoutes.map((route) => [route, routeWords(route)]),
    )
    const assets = new Set(markets.flatMap(({ baseAsset, quoteAsset }) => [quoteAsset, baseAsset]))
    showOptions(byId('money-asset', HTMLSelectElement), [...assets].map(both))
  }

  showClock({ now, until }: WindowClock): void {
    setText(byId('now', HTMLElement), `${dateTime(now)} UTC`)
    const moving = until === undefined ? '' : `advancing to ${dateTime(until)} UTC`
    setText(byId('clock-state', HTMLElement), moving)
    byId('clock-stop', HTMLButtonElement).disabled = until === undefined
  }

  showFaults(faults: readonly WindowFault[]): void {
    this.#faults.show(
      faults.map(({ id, fault, route, count, probability }) => {
        const often = [
          count === undefined ? [] : `${count} more`,
          probability === undefined ? [] : `probability ${probability}`,
        ]
        return { key: id, cells: [faultWords(fault), routeWords(route), often.flat().join(', ')] }
      }),
    )
  }

  askForToken(message: string): void {
    byId('door-panel', HTMLElement).hidden = false
    setText(byId('door-message', HTMLElement), message)
    byId('token', HTMLInputElement).focus()
  }

  #listenToFaults(said: HTMLElement): void {
    const kinds = byId('fault-kind', HTMLSelectElement)
    kinds.addEventListener('change', () => {
      setText(byId('fault-amount', HTMLElement), kinds.value === 'page-cap' ? 'Rows' : 'Milliseconds')
    })
    onSubmit('fault', async (field) => {
      const kind = field('fault')
      const rows = kind === 'page-cap' ? { rows: Number(field('ms')) } : { ms: Number(field('ms')) }
      await this.#api.control('POST', '/faults', {
        ...{ fault: kind, route: field('route'), count: Number(field('count')), ...rows },
      })
      return `added: ${faultWords(kind)}`
    })
    byId('fault-clear', HTMLButtonElement).addEventListener('click', () => {
      say(said, async () => {
        await this.#api.control('DELETE', '/faults')
        return 'all removed'
      })
    })
  }

  #listenToClock(): void {
    const said = byId('clock-message', HTMLElement)
    const advance = (advanceMs: number): void => {
      say(said, async () => {
        await this.#api.control('POST', '/clock', { advanceMs })
        return ''
      })
    }
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-advance]')) {
      button.addEventListener('click', () => {
        advance(Number(button.dataset.advance))
      })
    }
    byId('clock-stop', HTMLButtonElement).addEventListener('click', () => {
      say(said, async () => {
        await this.#api.control('DELETE', '/clock')
        return 'stopped'
      })
    })
  }
}

const faultWords = (kind: string): string => FAULT_WORDS[kind] ?? kind

const both = (text: string): readonly [string, string] => [text, text]

/** A form whose action says beside it how it went, in `ID-message`. */
function onSubmit(id: string, action: (field: (name: string) => string) => Promise<string>): void {
  const form = byId(id, HTMLFormElement)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const data = new FormData(form)
    say(byId(`${id}-message`, HTMLElement), () => action((name) => textOf(data, name)))
  })
}
