/**
 * A run, moved through by a slider, by event, from fill to fill, and in time.
 */
import type { ReplayedOrder } from '../../src/report/replay/replayed-run.ts'
import type { ReplayLength, ReplayShown, ReplayWhole } from '../../src/server/window/replay-window.ts'
import { byId, Rows, setClass, setText } from '../parts/dom.ts'
import { dateTime, exactTime, grouped, marketWords, sideWords } from '../parts/words.ts'
import { EquityChart } from './equity-chart.ts'
import { Player } from './player.ts'
import { ReplayMarketView } from './replay-market.ts'

const chart = new EquityChart(byId('chart', HTMLDivElement))
const slider = byId('at', HTMLInputElement)
const balances = new Rows(byId('balances', HTMLTableElement), { empty: 'no balances yet' })
const orders = new Rows(byId('orders', HTMLTableElement), { empty: 'no open orders' })
const events = new Rows(byId('events', HTMLTableElement))

/** Between looks at a run that may grow, and between attempts to reach a server that does not answer. */
const LOOK_MS = 2_000
/** A server that has not answered by then does not respond. */
const MAX_WAIT_MS = 20_000
/** Between changes of the address while a run plays: browsers allow only so many. */
const LINK_MS = 1_000

let shown: ReplayShown | undefined
let length = 0
let span: ReplayLength['span'] = [0, 0]
let recording = ''
/** The question that is asked next, and the answers that are awaited. */
let wanted: string | undefined
let flight: Promise<boolean> | undefined
/** Jumps that wait for those before them. */
let jumps = Promise.resolve()
/** The event that was asked for last, until it is shown. */
let aimed: number | undefined
let linkedAt = 0

const market = new ReplayMarketView(() => {
  again()
})
const player = new Player({
  step: async (clock) => {
    // A moment that was asked for before is shown first.
    if (flight !== undefined) return flight
    if (clock >= span[1]) {
      await go(`at=${length - 1}`)
      return false
    }
    return go(`time=${clock}`)
  },
  clock: () => shown?.clock ?? span[0],
  onChange: (isPlaying) => {
    if (!isPlaying) link()
  },
})

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(path, { signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => undefined)
  const isLive = answer !== undefined
  setText(byId('state', HTMLElement), isLive ? 'connected' : 'the replay server does not respond')
  setClass(byId('state', HTMLElement), `state ${isLive ? 'live' : 'lost'}`)
  if (!isLive) throw new Error('the replay server does not respond')
  if (answer.ok) return (await answer.json()) as T
  const refused = (await answer.json()) as { readonly error: { readonly message: string } }
  throw new Error(refused.error.message)
}

/**
 * Goes to the moment that a question names: one question at a time, and of those that wait only the newest.
 *
 * @returns whether it is shown
 */
function go(query: string): Promise<boolean> {
  wanted = query
  flight ??= answerWanted()
  return flight
}

async function answerWanted(): Promise<boolean> {
  let isShown = false
  while (wanted !== undefined) {
    const query = wanted
    wanted = undefined
    try {
      show(await ask<ReplayShown>(`/moment?${query}${market.query}`))
      isShown = true
    } catch (error) {
      isShown = false
      showError(error)
    }
  }
  flight = undefined
  aimed = undefined
  return isShown
}

function showError(error: unknown): void {
  setText(byId('message', HTMLElement), error instanceof Error ? error.message : String(error))
}

function goTo(at: number | undefined): void {
  if (at === undefined) return
  player.pause()
  aimed = Math.min(Math.max(0, at), length - 1)
  void go(`at=${aimed}`)
}

/** Goes to a fill or refusal as seen from the moment that was asked for last. */
function goToStop(side: 'stopBefore' | 'stopAfter'): void {
  player.pause()
  jumps = jumps.then(async () => {
    await flight
    goTo(shown?.[side])
    await flight
  })
}

/** The same moment, for another market or after a break. */
function again(): void {
  if (aimed !== undefined) void go(`at=${aimed}`)
  else void go(shown === undefined ? 'at=0' : shown.clock > shown.time ? `time=${shown.clock}` : `at=${shown.at}`)
}

function show(moment: ReplayShown): void {
  shown = moment
  const { at, clock, fills } = moment
  setText(byId('message', HTMLElement), '')
  slider.value = String(at)
  chart.mark(clock)
  const when = `${dateTime(clock)} UTC`
  slider.setAttribute('aria-valuetext', `event ${at + 1} of ${length}, ${when}`)
  setText(byId('now', HTMLElement), when)
  setText(byId('place', HTMLElement), `event ${at + 1} of ${length}`)
  setText(byId('fills', HTMLElement), fills === 1 ? '1 fill' : `${fills} fills`)
  balances.show(
    Object.entries(moment.balances).map(([asset, { available, locked }]) => ({
      ...{ key: asset, cells: [asset, grouped(available), grouped(locked)] },
    })),
  )
  showState(moment.strategyState)
  orders.show(moment.orders.toSorted(byPrice).map(rowOf))
  market.show(moment.market, moment.orders, clock)
  events.show(
    moment.events.map(({ at: each, time: then, type, words }) => ({
      key: String(each),
      cells: [exactTime(then, clock), type, words],
      tone: each === at ? 'here' : '',
    })),
  )
  scrollToHere()
  byId('back', HTMLButtonElement).disabled = at === 0
  byId('on', HTMLButtonElement).disabled = at === length - 1
  byId('stop-before', HTMLButtonElement).disabled = moment.stopBefore === undefined
  byId('stop-after', HTMLButtonElement).disabled = moment.stopAfter === undefined
  if (!player.isPlaying || performance.now() - linkedAt > LINK_MS) link()
}

/** The state that the strategy keeps, if it keeps any. */
function showState(text: string | undefined): void {
  const line = byId('strategy-state', HTMLElement)
  line.hidden = text === undefined
  setText(line, text === undefined ? '' : `Strategy state: ${text}`)
}

/** Brings the event of the moment into sight, in its table only. */
function scrollToHere(): void {
  const row = document.querySelector('#events tr.here')
  const box = row?.closest('.scroll')
  if (!(row instanceof HTMLElement) || !box) return
  box.scrollTop = row.offsetTop - (box.clientHeight - row.offsetHeight) / 2
}

/** Puts the moment into the address, without a step in the history of the browser. */
function link(): void {
  if (shown === undefined) return
  linkedAt = performance.now()
  history.replaceState(null, '', `#at=${shown.at}`)
}

/** Goes to the moment of the address; to the beginning without one. */
function goToLink(): void {
  const [, at = '0'] = /^#at=(\d{1,15})$/.exec(location.hash) ?? []
  goTo(Number(at))
}

/** Order of a book: asks above bids, the highest price first. */
const byPrice = (a: ReplayedOrder, b: ReplayedOrder): number => Number(b.price ?? 0) - Number(a.price ?? 0)

const rowOf = ({ id, symbol, side, price, qty, filledQty, crowdAhead }: ReplayedOrder) => ({
  key: id,
  cells: [
    marketWords(symbol),
    sideWords(side),
    grouped(price ?? 'market'),
    `${grouped(filledQty)} / ${grouped(qty)}`,
    crowdAhead === undefined ? '–' : grouped(crowdAhead),
    id,
  ],
  tone: side === 'BUY' ? 'buy second' : 'sell second',
})

slider.addEventListener('input', () => {
  goTo(Number(slider.value))
})

const MOVES: Readonly<Record<string, () => void>> = {
  first: () => {
    goTo(0)
  },
  back: () => {
    goTo((aimed ?? shown?.at ?? 0) - 1)
  },
  on: () => {
    goTo((aimed ?? shown?.at ?? 0) + 1)
  },
  last: () => {
    goTo(length - 1)
  },
  'stop-before': () => {
    goToStop('stopBefore')
  },
  'stop-after': () => {
    goToStop('stopAfter')
  },
}
for (const [id, move] of Object.entries(MOVES)) byId(id, HTMLButtonElement).addEventListener('click', move)

/** Action by key, with `Shift+` before it where it is held. */
const KEYS: Readonly<Record<string, () => void>> = {
  ' ': () => {
    player.toggle()
  },
  '+': () => {
    player.changeSpeed(1)
  },
  '-': () => {
    player.changeSpeed(-1)
  },
  ArrowLeft: () => MOVES.back?.(),
  ArrowRight: () => MOVES.on?.(),
  'Shift+ArrowLeft': () => MOVES['stop-before']?.(),
  'Shift+ArrowRight': () => MOVES['stop-after']?.(),
}

document.addEventListener('keydown', (event) => {
  const { key, target, shiftKey, ctrlKey, altKey, metaKey } = event
  if (ctrlKey || altKey || metaKey || !(target instanceof Element)) return
  // A list and a table keep their own keys; a focused button keeps its space.
  if (target.closest('select, .scroll') !== null || (key === ' ' && target.closest('button, a') !== null)) return
  const act = KEYS[shiftKey && key.startsWith('Arrow') ? `Shift+${key}` : key]
  if (act === undefined) return
  event.preventDefault()
  act()
})
// After a click the keys are those of the page again; after the keyboard the focus stays.
let isByPointer = false
addEventListener('pointerdown', () => (isByPointer = true), { capture: true })
addEventListener('keydown', () => (isByPointer = false), { capture: true })
document.addEventListener('click', ({ target }) => {
  if (isByPointer && target instanceof HTMLButtonElement) target.blur()
})
document.addEventListener('change', ({ target }) => {
  if (isByPointer && target instanceof HTMLSelectElement) target.blur()
})
addEventListener('hashchange', goToLink)

function measure(next: ReplayLength): void {
  length = next.length
  span = next.span
  recording = next.recording
  slider.max = String(length - 1)
}

/** Follows a run that grows, from its end to its new end, and a server that was started again. */
async function look(): Promise<void> {
  const wasLost = byId('state', HTMLElement).classList.contains('lost')
  const isAtEnd = (aimed ?? shown?.at) === length - 1
  const before = `${length} ${recording}`
  measure(await ask<ReplayLength>('/length'))
  if (player.isPlaying || (`${length} ${recording}` === before && !wasLost)) return
  if (isAtEnd) goTo(length - 1)
  else again()
}

/** @returns false if the run has no events yet */
async function begin(): Promise<boolean> {
  const whole = await ask<ReplayWhole>('/whole')
  measure(whole)
  if (length === 0) {
    setText(byId('message', HTMLElement), 'the run has no events yet')
    return false
  }
  setText(byId('name', HTMLElement), whole.name)
  setText(byId('version', HTMLElement), whole.version)
  byId('faults', HTMLElement).hidden = whole.faults.length === 0
  setText(byId('faults', HTMLElement), whole.faults.join('; '))
  chart.setAll(whole.equity)
  byId('equity-panel', HTMLElement).hidden = whole.equity.length === 0
  market.showMarkets(whole.markets, span[1] - span[0])
  player.suit(span[1] - span[0])
  goToLink()
  return true
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS))

async function run(): Promise<void> {
  const begun = (): Promise<boolean> =>
    begin().catch((error: unknown) => {
      showError(error)
      return false
    })
  while (!(await begun())) await pause()
  for (;;) {
    await pause()
    await look().catch(showError)
  }
}
await run()
