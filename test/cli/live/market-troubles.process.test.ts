/**
 * Rows of the table of troubles in docs/live.md that come with market data and with the network, by the shipped
 * command.
 */
import { expect, it } from 'vitest'
import { editedRows, type ProxyHooks } from './rig/hostile-proxy.ts'
import { LAST_PRICE, liveCases, strategyOf, type LiveCase } from './rig/live-cases.ts'
import { eventually, repeating } from './rig/patience.ts'

const inCase = liveCases()
const trouble = (title: string, body: (stage: LiveCase) => Promise<void>): void => {
  it.concurrent(title, () => inCase({}, body))
}

const logs = (stream: string, text: string): string => `c.${stream}.pipe(tap((x) => c.log(${text})), ignoreElements())`
/** Logs each trade, ticker and candle of five seconds. */
const FOLLOWS = strategyOf(
  'follows',
  `merge(${logs("trades('BTC_USD')", "'trade ' + x.price.toFixed(2)")}, ${logs("tickers('BTC_USD')", "'ticker ' + x.lastPrice.toFixed(2)")},
  ${logs("candles('BTC_USD', '5s')", "'candle ' + x.close.toFixed(2)")})`,
)

const LATER_MS = 600_000

/** Moves the time of the first trade at this price, and of each ticker that shows it, ten minutes on. */
const fromTheFuture = (price: string): ProxyHooks => {
  const moved = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    if (row.price === price) return { ...row, createdAt: Number(row.createdAt) + LATER_MS }
    if (row.lastPrice !== price) return row
    return { ...row, timestamp: new Date(Date.parse(String(row.timestamp)) + LATER_MS).toISOString() }
  }
  return {
    onFrame: (frame) => {
      const message = JSON.parse(frame) as { readonly data?: Readonly<Record<string, unknown>> }
      return message.data === undefined ? undefined : [JSON.stringify({ ...message, data: moved(message.data) })]
    },
    onAnswer: (answer, { path }) => (path.startsWith('/markets/BTC_USD/') ? editedRows(answer, moved) : undefined),
  }
}

trouble(
  'a trade or a ticker has a time in the future: candles and tickers go on without it',
  async ({ venue, proxy, start }) => {
    proxy.hooks = fromTheFuture('42500.00')
    const session = start(FOLLOWS)
    await repeating(() => venue.trade(LAST_PRICE), session.until('candle 42000.00'))
    await venue.trade('42500.00')
    await repeating(() => venue.trade('42001.00'), session.until('candle 42001.00'))
    await session.until('ticker 42001.00')
    const reported = session.events('warning').filter(({ message }) => message.includes('ahead of the clock'))
    // One of the trade and one of the ticker, however often they come again.
    expect(reported).toHaveLength(2)
    expect(await session.stop()).toBe(0)
  },
)

trouble(
  'the stream is silent on an open connection: trades and tickers are read instead',
  async ({ venue, proxy, start }) => {
    const session = start(FOLLOWS)
    await repeating(() => venue.trade(LAST_PRICE), session.until('trade 42000.00'))
    proxy.hooks = { onFrame: (frame) => (frame.includes('"stream"') ? [] : undefined) }
    await repeating(() => venue.trade('42001.00'), session.until('trade 42001.00'))
    await repeating(() => venue.trade('42001.00'), session.until('ticker 42001.00'))
    expect(await session.stop()).toBe(0)
  },
)

trouble('an answer to a cancel is older than the last fill: the fill is reported all the same', async (stage) => {
  const { venue, proxy, start } = stage
  const cancels = strategyOf(
    'cancels',
    `merge(of(c.buyLimit('BTC_USD', '41000.00', '0.02')),
    c.trades('BTC_USD').pipe(filter((t) => t.priceNumber > 42000), first(), mergeMap(() => c.openOrders('BTC_USD').map((o) => c.cancel(o)))))`,
  )
  proxy.hooks = {
    onRequest: async ({ method }) => {
      if (method === 'DELETE') await venue.crowdOrder({ side: 'SELL', price: '41000.00', qty: '0.005' })
      return undefined
    },
    onAnswer: (answer, { method }) =>
      method === 'DELETE'
        ? editedRows(answer, (row) => ({ ...row, filledQty: '0', averagePrice: undefined }))
        : undefined,
  }
  const session = start(cancels)
  await eventually(async () => (await venue.openOrders()).length === 1, () => session.output) // prettier-ignore
  await repeating(() => venue.trade('42001.00'), session.until('"type":"fill"'))
  expect(await session.stop()).toBe(0)
  expect(session.rows('fills.csv').map(({ qty }) => qty)).toEqual(['0.00500000'])
  expect(session.rows('orders.csv').at(-1)).toMatchObject({ status: 'CANCELLED', filled_qty: '0.00500000' })
})

trouble('the event loop is blocked: what was not read meanwhile is no silence', async ({ venue, proxy, start }) => {
  const blocks = strategyOf(
    'blocks',
    `merge(${logs("trades('BTC_USD')", "'trade ' + x.price.toFixed(2)")},
    c.trades('BTC_USD').pipe(first(), tap(() => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 9000) }), ignoreElements()))`,
  )
  const session = start(blocks)
  await repeating(() => venue.trade(LAST_PRICE), session.until('trade 42000.00'))
  await repeating(() => venue.trade('42001.00'), session.until('trade 42001.00'))
  expect(proxy.upgrades).toBe(1)
  expect(await session.stop()).toBe(0)
})
