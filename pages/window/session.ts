/**
 * The window of a session that trades, live or on paper: its market, its results and its state, and the commands of an
 * operator, each after a question.
 */
import type { LiveStatus, StrategyStatus } from '../../src/runtime/live/live-status.ts'
import type { SessionHello, SessionNews, WindowChart, WindowFill } from '../../src/server/window/session-window.ts'
import { byId, el, Rows, say, setClass, setText, textOf } from '../parts/dom.ts'
import {
  clockTime,
  dateTime,
  grouped,
  marketWords,
  percent,
  shortly,
  sideWords,
  signed,
  toneOf,
} from '../parts/words.ts'
import { confirmed, type Question } from './confirm.ts'
import { EquityChart, type Dot } from './equity-chart.ts'
import { eventWords } from './event-words.ts'
import { Line } from './line.ts'
import { SessionMarket } from './session-market.ts'
import { sessionToken, setSessionToken } from './session-token.ts'
import { waitsOf } from './waits.ts'

type Message = Partial<SessionHello> & Partial<SessionNews>

const COMMANDS: Readonly<Record<string, Question>> = {
  halt: {
    title: 'Halt all sessions?',
    text: 'No session sends an order until you resume; cancels are still sent. Open orders and positions stay as they are.',
    action: 'Halt',
  },
  reduce: {
    title: 'Only reduce from now on?',
    text: 'Until you resume, sessions only cancel orders, and sell what they hold.',
    action: 'Reduce only',
  },
  resume: { title: 'Resume all sessions?', text: 'The strategies send orders again.', action: 'Resume' },
  flatten: { title: 'Sell everything at market?', text: '', action: 'Flatten' },
}

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
      ask(
        { title: `Resume ${key}?`, text: 'Orders in this market are sent again.', action: 'Resume' },
        { kind: 'resume', symbol: key },
      )
    },
  },
})

const market = new SessionMarket()
const curves = new Map<string, Dot[]>()
let owner = ''
let latest: LiveStatus | undefined
let charts: Readonly<Record<string, WindowChart>> = {}
const fills = new Map<string, WindowFill[]>()

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

for (const [kind, question] of Object.entries(COMMANDS)) {
  const button = el('button', { type: 'button', id: kind }, question.action)
  button.addEventListener('click', () => {
    if (kind === 'flatten') flatten(question)
    else ask(question, { kind })
  })
  byId('words', HTMLElement).append(button)
}
byId('unlock', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  setSessionToken(textOf(new FormData(byId('unlock', HTMLFormElement)), 'token'))
  showLock()
})
showLock()

/** Without the token, a page only looks. */
function showLock(): void {
  const isLocked = sessionToken() === undefined
  byId('unlock', HTMLElement).hidden = !isLocked
  byId('words', HTMLElement).hidden = isLocked
}

function ask(question: Question, body: object): void {
  say(said, async () => ((await confirmed(question)) ? command(body) : 'nothing was changed'))
}

/** Asks with the plan: what would be cancelled and sold. */
function flatten(question: Question): void {
  say(said, async () => {
    const plan = await command({ kind: 'plan' })
    return (await confirmed({ ...question, text: plan })) ? command({ kind: 'flatten' }) : 'nothing was changed'
  })
}

async function command(body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${sessionToken() ?? ''}` }
  const answer = await fetch('/command', { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {
    throw new Error('No answer: the command may have been executed. Look at the state of the session.')
  })
  const { isDone, message, error } = (await answer.json()) as {
    isDone?: boolean
    message?: string
    error?: { message?: string }
  }
  if (answer.status === 401) {
    setSessionToken(undefined)
    showLock()
  }
  if (!answer.ok || isDone !== true) throw new Error(error?.message ?? message ?? 'the command failed')
  return message ?? 'done'
}

function hear({ kind, version, curves: whole, takesCommands, status, charts: drawn, fills: more = {} }: Message): void {
  if (kind !== undefined) setText(byId('kind', HTMLElement), kind)
  if (version !== undefined) setText(byId('version', HTMLElement), version)
  if (takesCommands !== undefined) byId('words-panel', HTMLElement).hidden = !takesCommands
  if (whole !== undefined) {
    curves.clear()
    fills.clear()
    for (const [name, dots] of Object.entries(whole)) curves.set(name, [...dots])
    chart.setAll(curves.get(owner) ?? [])
    market.clear()
  }
  for (const [name, next] of Object.entries(more)) fills.set(name, [...(fills.get(name) ?? []), ...next])
  if (drawn !== undefined) {
    charts = drawn
    for (const [name, each] of Object.entries(drawn)) market.keep(name, each)
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
      ({ id, side, qty, symbol }) =>
        `it is not known whether request ${id} (${side.toLowerCase()} ${qty} ${marketWords(symbol)}) became an order; see papertape live orders`,
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
        cells: [clockTime(time), name, eventWords(event)],
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
  byId('limits', HTMLElement).hidden = budget === undefined
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
  const { state: session, why, equity, quoteAsset, change, openOrders, runDirectory } = strategy
  const { profit, openProfit } = charts[owner] ?? {}
  setText(byId('session-state', HTMLElement), session)
  setClass(byId('session-state', HTMLElement), `badge ${session === 'ACTIVE' ? 'up' : 'down'}`)
  setText(byId('why', HTMLElement), why)
  setText(byId('equity', HTMLElement), equity === undefined ? 'unknown' : `${shortly(equity, 2)} ${quoteAsset}`)
  showMoney('profit', profit, quoteAsset)
  showMoney('open-profit', openProfit, quoteAsset)
  setText(byId('change', HTMLElement), change === undefined ? '' : `(${percent(change * 100)})`)
  setClass(byId('change', HTMLElement), toneOf(change ?? 0))
  byId('waits', HTMLElement).replaceChildren(...waitsOf(strategy, latest).map((text) => el('li', {}, text)))
  setText(byId('directory', HTMLElement), runDirectory)
  const words = equity === undefined ? 'Equity unknown' : `Equity of ${owner}: ${equity} ${quoteAsset}`
  byId('chart', HTMLDivElement).setAttribute('aria-label', words)
  positions.show(strategy.positions.map(({ asset, qty }) => ({ key: asset, cells: [asset, grouped(qty)] })))
  orders.show(
    openOrders.map(({ id, symbol, side, price, qty, filledQty, tag }) => ({
      key: id,
      cells: [
        marketWords(symbol),
        sideWords(side),
        grouped(price ?? 'market'),
        grouped(qty),
        grouped(filledQty),
        tag ?? '',
        id,
      ],
      tone: side === 'BUY' ? 'buy second' : 'sell second',
    })),
  )
  market.show(owner, openOrders, fills.get(owner) ?? [])
}

/** Exact in the tooltip, where it is shortened. */
function showMoney(id: string, amount: string | undefined, asset: string): void {
  const place = byId(id, HTMLElement)
  setText(place, amount === undefined ? '–' : `${grouped(signed(shortly(amount, 2)))} ${asset}`)
  setClass(place, toneOf(amount ?? 0))
  place.title = amount === undefined ? '' : `${amount} ${asset}`
}
