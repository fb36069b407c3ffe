/**
 * The window of an emulator: reported of it on one line, and what a person does goes by the same calls as those of any
 * client.
 */
import type { CandleInterval } from '../../src/domain/candle.ts'
import type { OrderJson } from '../../src/domain/order.ts'
import type { WindowBook, WindowFrame, WindowWatch, WindowWorld } from '../../src/server/window/window-frame.ts'
import { AccountView, statusWords } from './account-view.ts'
import { Api } from './api.ts'
import { ControlView } from './control-view.ts'
import { byId, say, setClass, setText, showOptions } from '../parts/dom.ts'
import { Line } from './line.ts'
import { MarketView } from './market-view.ts'
import { OrderForm } from './order-form.ts'
import { grouped } from '../parts/words.ts'

const api = new Api()
const users = byId('user', HTMLSelectElement)
const interval = byId('interval', HTMLSelectElement)
const state = byId('state', HTMLElement)
const ordersMessage = byId('orders-message', HTMLElement)

let world: WindowWorld | undefined
let symbol = ''
let lastBook: WindowBook | undefined
let pauses: NonNullable<WindowFrame['pauses']> = []
let lastAccount: WindowFrame['account']
/** Data since the page was drawn last. */
let waiting: WindowFrame[] = []

const watched = (): WindowWatch => ({
  ...{ symbol, interval: interval.value as CandleInterval, user: users.value === '' ? undefined : users.value },
})
const hello = (): object => ({ watch: watched(), ...(api.token !== undefined && { token: api.token }) })

const form = new OrderForm({
  place: async (order) => {
    const placed = (await api.service(users.value, 'POST', '/orders', order)) as OrderJson
    const { id, status, filledQty, averagePrice } = placed
    const at = averagePrice === undefined ? '' : `, ${grouped(filledQty)} filled at ${grouped(averagePrice)}`
    return `order ${id} is ${statusWords(status)}${at}`
  },
  book: () => lastBook,
})
const market = new MarketView({
  onMarket: (chosen) => {
    choose(chosen)
  },
  onPrice: (price) => {
    form.setPrice(price)
  },
})
const account = new AccountView({
  cancel: (order) => {
    say(ordersMessage, async () => {
      await api.service(users.value, 'DELETE', `/orders/${encodeURIComponent(order)}`)
      return `order ${order} is cancelled`
    })
  },
})
const controls = new ControlView({
  api,
  user: () => users.value,
  onToken: () => {
    line.say(hello())
  },
})
const line = new Line({
  path: '/emulator/window',
  hello,
  onMessage: (message) => {
    if (waiting.length === 0) requestAnimationFrame(draw)
    waiting.push(message as WindowFrame)
  },
  onState: (now) => {
    setText(state, now === 'live' ? 'connected' : 'connection lost, reconnecting')
    setClass(state, `state ${now}`)
  },
})

for (const list of [users, interval]) {
  list.addEventListener('change', () => {
    line.say(hello())
  })
}

/** All that has come, at most once for each frame that the screen shows. */
function draw(): void {
  const frames = waiting
  waiting = []
  for (const frame of frames) show(frame)
}

function show(frame: WindowFrame): void {
  const { error, clock, faults, tickers, book, trades, candles } = frame
  if (error !== undefined) {
    controls.askForToken(error.message)
    return
  }
  if (frame.world !== undefined) showWorld(frame.world)
  if (frame.users !== undefined) showUsers(frame.users)
  if (frame.pauses !== undefined) showPauses(frame.pauses)
  if (clock !== undefined) controls.showClock(clock)
  if (faults !== undefined) controls.showFaults(faults)
  if (tickers !== undefined) market.showTickers(tickers)
  if (book?.symbol === symbol) {
    lastBook = book
    market.showBook(book)
    form.offerPrice(book.bids[0]?.[0] ?? '')
  }
  if (trades !== undefined && (trades[0]?.symbol ?? symbol) === symbol) market.showTrades(trades)
  if (candles?.symbol === symbol && candles.interval === interval.value) market.showCandles(candles)
  if (frame.account !== undefined && (frame.account?.user ?? users.value) === users.value) {
    lastAccount = frame.account
    account.show(frame.account)
    showOwn()
  }
}

function showOwn(): void {
  market.showOwn(lastAccount?.openOrders ?? [], lastAccount?.fills ?? [])
}

function showWorld(next: WindowWorld): void {
  world = next
  market.showMarkets(next.markets)
  controls.showWorld(next)
  setText(byId('version', HTMLElement), next.version)
  const known = next.markets.find((each) => each.symbol === symbol) ?? next.markets[0]
  if (known !== undefined) choose(known.symbol)
}

function showPauses(next: typeof pauses): void {
  pauses = next
  const reason = new Map(pauses).get(symbol)
  setText(byId('pause', HTMLElement), reason === undefined ? '' : `paused, orders are refused: ${reason}`)
}

function showUsers(list: NonNullable<WindowFrame['users']>): void {
  const before = users.value
  showOptions(
    users,
    list.map(({ id, email, verified }) => [id, `${email}${verified ? '' : ' (not verified)'}`]),
  )
  if (users.value !== before) line.say(hello())
}

function choose(chosen: string): void {
  const known = world?.markets.find((each) => each.symbol === chosen)
  if (known === undefined) return
  const isOther = symbol !== chosen
  symbol = chosen
  market.choose(known)
  showPauses(pauses)
  showOwn()
  form.setMarket(chosen)
  if (isOther) line.say(hello())
}
