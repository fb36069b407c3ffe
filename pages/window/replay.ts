/**
 * A finished run, moved through by a slider, by single events, and from fill to fill. The newest question counts: late answers are dropped.
 */
import type { ReplayedOrder } from '../../src/report/replay/replayed-run.ts'
import type { ReplayShown, ReplayWhole } from '../../src/server/window/replay-window.ts'
import { byId, Rows, setText } from '../parts/dom.ts'
import { EquityChart } from './equity-chart.ts'
import { dateTime, grouped } from '../parts/words.ts'

const chart = new EquityChart(byId('chart', HTMLDivElement))
const slider = byId('at', HTMLInputElement)
const balances = new Rows(byId('balances', HTMLTableElement), { empty: 'no balances yet' })
const book = new Rows(byId('book', HTMLTableElement), { empty: 'no open orders' })
const events = new Rows(byId('events', HTMLTableElement))

let shown: ReplayShown | undefined
let length = 0
let asked = 0

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error('the replay server did not answer')
  return (await answer.json()) as T
}

/** Goes to the moment that a question names. */
function go(query: string): void {
  asked += 1
  const mine = asked
  ask<ReplayShown>(`/moment?${query}`).then(
    (moment) => {
      if (mine === asked) show(moment)
    },
    (error: unknown) => {
      setText(byId('message', HTMLElement), error instanceof Error ? error.message : String(error))
    },
  )
}

const goTo = (at: number): void => {
  go(`at=${Math.min(Math.max(0, at), length - 1)}`)
}

function show(moment: ReplayShown): void {
  shown = moment
  const { at, time, fills } = moment
  setText(byId('message', HTMLElement), '')
  slider.value = String(at)
  chart.mark(time)
  const when = `${dateTime(time)} UTC`
  slider.setAttribute('aria-valuetext', `event ${at + 1} of ${length}, ${when}`)
  setText(byId('now', HTMLElement), when)
  setText(byId('place', HTMLElement), `event ${at + 1} of ${length}`)
  setText(byId('fills', HTMLElement), `${fills} fills`)
  balances.show(
    Object.entries(moment.balances).map(([asset, { available, locked }]) => ({
      ...{ key: asset, cells: [asset, grouped(available), grouped(locked)] },
    })),
  )
  book.show(moment.orders.toSorted(byPrice).map(rowOf))
  events.show(
    moment.events.map(({ at: each, time: then, type, words }) => ({
      key: String(each),
      cells: [new Date(then).toISOString().slice(11, 23), type, words],
      tone: each === at ? 'here' : '',
    })),
  )
  byId('back', HTMLButtonElement).disabled = at === 0
  byId('on', HTMLButtonElement).disabled = at === length - 1
  byId('fill-before', HTMLButtonElement).disabled = moment.fillBefore === undefined
  byId('fill-after', HTMLButtonElement).disabled = moment.fillAfter === undefined
}

/** As in a book: asks above bids, the highest price first. */
const byPrice = (a: ReplayedOrder, b: ReplayedOrder): number => Number(b.price ?? 0) - Number(a.price ?? 0)

const rowOf = ({ id, symbol, side, price, qty, filledQty, crowdAhead }: ReplayedOrder) => ({
  key: id,
  cells: [symbol, side, grouped(price ?? 'market'), `${grouped(filledQty)} / ${grouped(qty)}`, crowdAhead ?? '–', id],
  tone: side === 'BUY' ? 'buy second' : 'sell second',
})

slider.addEventListener('input', () => {
  goTo(Number(slider.value))
})
const MOVES: Readonly<Record<string, () => number | undefined>> = {
  first: () => 0,
  back: () => (shown?.at ?? 0) - 1,
  on: () => (shown?.at ?? 0) + 1,
  last: () => length - 1,
  'fill-before': () => shown?.fillBefore,
  'fill-after': () => shown?.fillAfter,
}
for (const [id, place] of Object.entries(MOVES)) {
  byId(id, HTMLButtonElement).addEventListener('click', () => {
    const at = place()
    if (at !== undefined) goTo(at)
  })
}

const whole = await ask<ReplayWhole>('/whole')
length = whole.length
slider.max = String(length - 1)
setText(byId('name', HTMLElement), whole.name)
setText(byId('version', HTMLElement), whole.version)
byId('faults', HTMLElement).hidden = whole.faults.length === 0
setText(byId('faults', HTMLElement), whole.faults.join('; '))
chart.setAll(whole.equity)
goTo(0)
