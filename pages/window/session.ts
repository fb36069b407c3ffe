/**
 * The window of a session that trades, live or on paper: how it stands, and an operator's words to it.
 */
import type { LiveStatus, StrategyStatus } from '../../src/runtime/live/live-status.ts'
import { eventText } from '../../src/report/live/event-text.ts'
import type { SessionHello } from '../../src/server/window/session-window.ts'
import { byId, el, Rows, say, setClass, setText } from '../parts/dom.ts'
import { EquityChart, type Dot } from './equity-chart.ts'
import { Line } from './line.ts'
import { clockTime, dateTime, grouped, percent, shortly, toneOf } from '../parts/words.ts'

type Message = Partial<SessionHello> & { readonly status?: LiveStatus }

const WORDS = { halt: 'Halt', reduce: 'Reduce only', resume: 'Resume' } as const

const chart = new EquityChart(byId('chart', HTMLDivElement))
const tabs = byId('strategies', HTMLElement)
const state = byId('state', HTMLElement)
const said = byId('command-message', HTMLElement)
const orders = new Rows(byId('orders', HTMLTableElement), { empty: 'no open orders' })
const positions = new Rows(byId('positions', HTMLTableElement), { empty: 'flat' })
const events = new Rows(byId('events', HTMLTableElement), { empty: 'no events yet' })
const halts = new Rows(byId('halts', HTMLTableElement), {
  action: {
    text: 'Resume',
    label: ({ key }) => `Resume ${key}`,
    run: ({ key }) => {
      command({ kind: 'resume', symbol: key })
    },
  },
})

const curves = new Map<string, Dot[]>()
let owner = ''
let latest: LiveStatus | undefined

new Line({
  path: '/line',
  hello: () => ({}),
  onMessage: (message) => {
    hear(message as Message)
  },
  onState: (now) => {
    setText(state, now === 'live' ? 'connected' : 'the session is not responding')
    setClass(state, `state ${now}`)
  },
})

for (const [kind, text] of Object.entries(WORDS)) {
  const button = el('button', { type: 'button', id: kind }, text)
  button.addEventListener('click', () => {
    command({ kind })
  })
  byId('words', HTMLElement).append(button)
}

function command(body: object): void {
  say(said, async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/command', { method: 'POST', headers, body: JSON.stringify(body) })
    const told = (await answer.json()) as { message?: string; error?: { message?: string } }
    if (!answer.ok) throw new Error(told.error?.message ?? 'the command failed')
    return told.message ?? 'done'
  })
}

function hear({ kind, version, curves: whole, canBeTold, status }: Message): void {
  if (kind !== undefined) setText(byId('kind', HTMLElement), kind)
  if (version !== undefined) setText(byId('version', HTMLElement), version)
  if (canBeTold !== undefined) byId('words-panel', HTMLElement).hidden = !canBeTold
  if (whole !== undefined) {
    curves.clear()
    for (const [name, dots] of Object.entries(whole)) curves.set(name, [...dots])
    chart.setAll(curves.get(owner) ?? [])
  }
  if (status !== undefined) show(status)
}

function show(status: LiveStatus): void {
  latest = status
  for (const { owner: name, equity } of status.strategies) {
    if (equity === undefined) continue
    const dot: Dot = [status.time, Number(equity)]
    const curve = curves.get(name) ?? []
    curves.set(name, curve)
    if ((curve.at(-1)?.[0] ?? 0) >= status.time) continue
    curve.push(dot)
    if (name === owner) chart.add(dot)
  }
  showTabs(status.strategies)
  showHealth(status)
  showStrategy(status.strategies.find((each) => each.owner === owner))
  byId('halts', HTMLElement).hidden = status.halts.length === 0
  halts.show(status.halts.map(({ symbol, why, reason }) => ({ key: symbol, cells: [symbol, why, reason] })))
  const alarms = [
    ...status.undecided.map(
      ({ id, side, qty, symbol, state: fate }) => `intent ${id} (${side} ${qty} ${symbol}) is ${fate}`,
    ),
    ...status.warnings,
  ]
  byId('alarms', HTMLElement).hidden = alarms.length === 0
  setText(byId('alarms', HTMLElement), alarms.join('; '))
  events.show(
    status.events.toReversed().map((event) => {
      const { time, type, owner: name = '', seq } = event
      return {
        key: String(seq),
        cells: [clockTime(time), type, name, eventText(event)],
        tone: type === 'fault' || type === 'halt' ? 'alarm' : '',
      }
    }),
  )
}

function showTabs(strategies: readonly StrategyStatus[]): void {
  const names = strategies.map((each) => each.owner)
  if (!names.includes(owner)) choose(names[0] ?? '')
  const known = Array.from(tabs.children, (child) => child.textContent)
  if (JSON.stringify(known) === JSON.stringify(names)) return
  tabs.replaceChildren(
    ...names.map((name) => {
      const button = el('button', { type: 'button', class: 'market', 'aria-pressed': String(name === owner) }, name)
      button.addEventListener('click', () => {
        choose(name)
        if (latest !== undefined) show(latest)
      })
      return button
    }),
  )
}

function choose(name: string): void {
  owner = name
  for (const child of tabs.children) child.setAttribute('aria-pressed', String(child.textContent === name))
  chart.setAll(curves.get(name) ?? [])
}

function showHealth({ time, connection, stream, dataAt, budget, baseUrl, startedAt }: LiveStatus): void {
  setText(byId('now', HTMLElement), `${dateTime(time)} UTC`)
  setText(byId('service', HTMLElement), baseUrl)
  setText(byId('since', HTMLElement), `${dateTime(startedAt)} UTC`)
  setText(byId('connection', HTMLElement), `${connection}, stream ${stream}`)
  setClass(byId('connection', HTMLElement), connection === 'connected' && stream !== 'lost' ? 'up' : 'down')
  const age = dataAt === undefined ? 'none yet' : `${((time - dataAt) / 1_000).toFixed(1)} s ago`
  setText(byId('data-age', HTMLElement), age)
  for (const name of ['general', 'mutations'] as const) {
    const bucket = budget?.[name]
    const meter = byId(`budget-${name}`, HTMLMeterElement)
    meter.parentElement?.toggleAttribute('hidden', bucket === undefined)
    if (bucket === undefined) continue
    meter.max = bucket.limit
    meter.low = bucket.limit / 4
    meter.value = bucket.remaining
    setText(byId(`left-${name}`, HTMLElement), `${bucket.remaining} / ${bucket.limit}`)
  }
}

function showStrategy(strategy: StrategyStatus | undefined): void {
  if (strategy === undefined) return
  const { state: session, why, equity, quoteAsset, change, openOrders, waiting, runDirectory } = strategy
  setText(byId('session-state', HTMLElement), session)
  setClass(byId('session-state', HTMLElement), `badge ${session === 'ACTIVE' ? 'up' : 'down'}`)
  setText(byId('why', HTMLElement), why)
  setText(byId('equity', HTMLElement), equity === undefined ? 'unknown' : `${shortly(equity, 2)} ${quoteAsset}`)
  setText(byId('change', HTMLElement), change === undefined ? '' : percent(change * 100))
  setClass(byId('change', HTMLElement), toneOf(change ?? 0))
  setText(byId('waiting', HTMLElement), waiting === 0 ? '' : `${waiting} waiting`)
  setText(byId('directory', HTMLElement), runDirectory)
  const words = equity === undefined ? 'Equity unknown' : `Equity of ${owner}: ${equity} ${quoteAsset}`
  byId('chart', HTMLDivElement).setAttribute('aria-label', words)
  positions.show(strategy.positions.map(({ asset, qty }) => ({ key: asset, cells: [asset, grouped(qty)] })))
  orders.show(
    openOrders.map(({ id, symbol, side, price, qty, filledQty, tag }) => ({
      key: id,
      cells: [symbol, side, grouped(price ?? 'market'), grouped(qty), grouped(filledQty), tag ?? '', id],
      tone: side === 'BUY' ? 'buy second' : 'sell second',
    })),
  )
}
