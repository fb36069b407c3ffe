import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { tickerSchema, tradeSchema } from '../../../src/wire/schemas.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket } from '../rig/served-market.ts'
import { listenTo, type StreamListener } from '../rig/stream-listener.ts'

const TRADES = 'trade:BTC_USD'
const TICKERS = 'ticker:BTC_USD'

let served: ServedMarket
beforeEach(async () => {
  served = await serveMarket()
})
afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

const open = (): Promise<StreamListener> => listenTo(served.server.streamUrl)

describe('a subscription', () => {
  it('is answered with its streams and its id', async () => {
    const stream = await open()
    expect(await stream.ask({ op: 'subscribe', streams: [TRADES, TICKERS], id: 1 })).toEqual({
      op: 'subscribed',
      streams: [TRADES, TICKERS],
      id: 1,
    })
    expect(await stream.ask({ op: 'unsubscribe', streams: [TICKERS], id: 'x' })).toEqual({
      op: 'unsubscribed',
      streams: [TICKERS],
      id: 'x',
    })
    expect(await stream.subscribe(TRADES)).toEqual({ op: 'subscribed', streams: [TRADES] })
  })

  it('gives every trade and the ticker after it, as REST shows them', async () => {
    const stream = await open()
    await stream.subscribe(TRADES, TICKERS)
    served.print('BTC_USD', 10_000, 3)
    await stream.until(() => stream.of(TICKERS).length === 1)
    const [trade] = stream.of(TRADES)
    const [ticker] = stream.of(TICKERS)
    expect(tradeSchema.parse(trade?.data)).toEqual(
      ((await served.call('GET', '/v1/markets/BTC_USD/trades')).body as unknown[])[0],
    )
    expect(tickerSchema.parse(ticker?.data)).toEqual((await served.call('GET', '/v1/markets/BTC_USD/ticker')).body)
    expect(Object.keys(trade ?? {})).toEqual(['stream', 'data'])
  })

  it('gives a trade that an order makes, once for each of its fills, and one ticker after them', async () => {
    await served.server.close()
    // No tape is played into these markets: what users do is their market data.
    served = await serveMarket({}, new Set())
    const [seller, buyer] = [await served.user({ BTC: '10' }), await served.user({ USD: '10000' })]
    for (const price of ['100.00', '101.00', '102.00']) {
      await served.call('POST', '/v1/orders', { key: seller.key, body: { ...LIMIT_BUY, side: 'SELL', price } })
    }
    const stream = await open()
    await stream.subscribe(TRADES, TICKERS)
    await served.call('POST', '/v1/orders', { key: buyer.key, body: { ...LIMIT_BUY, price: '103.00', qty: '3' } })
    await stream.until(() => stream.of(TICKERS).length > 0)
    expect(stream.of(TRADES).map(({ data }) => data?.price)).toEqual(['100.00', '101.00', '102.00'])
    expect(stream.of(TICKERS).map(({ data }) => [data?.lastPrice, data?.volume])).toEqual([['102.00', '3']])
  })

  it('is of one market, and ends', async () => {
    const stream = await open()
    await stream.subscribe(TRADES, 'trade:ETH_USD')
    await stream.ask({ op: 'unsubscribe', streams: [TRADES] })
    served.print('BTC_USD', 10_000)
    served.print('ETH_USD', 20_000)
    await stream.until(() => stream.of('trade:ETH_USD').length === 1)
    expect(stream.of(TRADES)).toEqual([])
    expect(stream.of(TICKERS)).toEqual([])
  })

  it('that is made twice gives an event once', async () => {
    const stream = await open()
    await stream.subscribe(TRADES)
    await stream.subscribe(TRADES, TRADES)
    served.print('BTC_USD', 10_000)
    served.print('BTC_USD', 10_001)
    await stream.until(() => stream.of(TRADES).length >= 2)
    expect(stream.of(TRADES).map(({ data }) => data?.price)).toEqual(['100.00', '100.01'])
  })

  it('reaches each client that has it', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, open))
    await Promise.all(streams.map((stream) => stream.subscribe(TRADES)))
    for (let tick = 0; tick < 500; tick += 1) served.print('BTC_USD', 10_000 + tick)
    await Promise.all(streams.map((stream) => stream.until(() => stream.of(TRADES).length === 500)))
    for (const stream of streams) {
      expect(stream.of(TRADES).map(({ data }) => Number(data?.id))).toEqual(
        Array.from({ length: 500 }, (_, at) => at + 1),
      )
    }
  })
})

describe('a message that is refused', () => {
  it.each`
    message                                                          | code                  | id           | why
    ${{ op: 'subscribe', streams: ['trade:NO_USD'], id: 7 }}         | ${'MARKET_NOT_FOUND'} | ${7}         | ${'an unknown market'}
    ${{ op: 'unsubscribe', streams: ['trade:NO_USD'] }}              | ${'MARKET_NOT_FOUND'} | ${undefined} | ${'an unknown market to leave'}
    ${{ op: 'subscribe', streams: ['candle:BTC_USD'], id: 8 }}       | ${'VALIDATION_ERROR'} | ${8}         | ${'an unknown kind'}
    ${{ op: 'subscribe', streams: ['trade:'], id: 8 }}               | ${'VALIDATION_ERROR'} | ${8}         | ${'no symbol'}
    ${{ op: 'subscribe', streams: [], id: 9 }}                       | ${'VALIDATION_ERROR'} | ${9}         | ${'no streams'}
    ${{ op: 'subscribe', id: 9 }}                                    | ${'VALIDATION_ERROR'} | ${9}         | ${'streams left out'}
    ${{ op: 'subscribe', streams: TRADES, id: 9 }}                   | ${'VALIDATION_ERROR'} | ${9}         | ${'a text for a list'}
    ${{ op: 'subscribe', streams: [1], id: 9 }}                      | ${'VALIDATION_ERROR'} | ${9}         | ${'a number for a stream'}
    ${{ op: 'subscribe', streams: ['x'.repeat(5_000)], id: 9 }}      | ${'VALIDATION_ERROR'} | ${9}         | ${'a long name'}
    ${{ op: 'follow', streams: [TRADES], id: 9 }}                    | ${'VALIDATION_ERROR'} | ${9}         | ${'an unknown op'}
    ${{ op: 'subscribe', streams: [TRADES], id: 9, more: 1 }}        | ${'VALIDATION_ERROR'} | ${9}         | ${'an extra field'}
    ${{ op: 'subscribe', streams: [TRADES], id: {} }}                | ${'VALIDATION_ERROR'} | ${undefined} | ${'an id that is none'}
    ${{ op: 'subscribe', streams: [TRADES], id: 'x'.repeat(101) }}   | ${'VALIDATION_ERROR'} | ${undefined} | ${'a long id'}
    ${'{"op":"subscribe","op":"subscribe","streams":["a"],"id":1}'}  | ${'VALIDATION_ERROR'} | ${1}         | ${'a key twice'}
    ${'{'}                                                           | ${'VALIDATION_ERROR'} | ${undefined} | ${'no JSON'}
    ${'null'}                                                        | ${'VALIDATION_ERROR'} | ${undefined} | ${'null'}
    ${'[]'}                                                          | ${'VALIDATION_ERROR'} | ${undefined} | ${'a list'}
    ${''}                                                            | ${'VALIDATION_ERROR'} | ${undefined} | ${'nothing'}
    ${'['.repeat(16_000)}                                            | ${'VALIDATION_ERROR'} | ${undefined} | ${'a deep nest'}
    ${Buffer.from('{"op":"subscribe","streams":["trade:BTC_USD"]}')} | ${'VALIDATION_ERROR'} | ${undefined} | ${'a binary message'}
  `('$why: $code, and the connection stays', async ({ message, code, id }) => {
    const stream = await open()
    const { op, error, id: answered } = await stream.ask(message)
    expect([op, error?.code, answered]).toEqual(['error', code, id])
    expect(error?.message).toMatch(/./)
    expect(await stream.subscribe(TRADES)).toMatchObject({ op: 'subscribed' })
  })

  it.each([
    ['a list with a number', { op: 'subscribe', streams: [TRADES, 1], id: 1 }],
    ['a list with null', { op: 'subscribe', streams: [null, TRADES], id: 1 }],
    ['an unknown field', { op: 'subscribe', streams: [TRADES], id: 1, more: 1 }],
  ])('for its form, such as %s, subscribes to nothing', async (_what, message) => {
    const stream = await open()
    await stream.subscribe('trade:ETH_USD')
    expect(await stream.ask(message)).toMatchObject({ op: 'error', error: { code: 'VALIDATION_ERROR' }, id: 1 })
    served.print('BTC_USD', 10_000)
    served.print('ETH_USD', 10_000)
    await stream.until(() => stream.of('trade:ETH_USD').length === 1)
    expect(stream.of(TRADES)).toEqual([])
  })
})

describe('a bad name among good ones', () => {
  const unknown = (name: string, symbol: string): object => ({
    code: 'MARKET_NOT_FOUND',
    message: `${name}: no market '${symbol}'`,
  })
  const noStream = (name: string): object => ({
    code: 'VALIDATION_ERROR',
    message: `streams: expected trade:SYMBOL or ticker:SYMBOL, got '${name}'`,
  })

  it.each`
    streams                                                            | followed                     | errors                                                          | why
    ${[TRADES, 'trade:NO_USD', TICKERS]}                               | ${[TRADES, TICKERS]}         | ${[unknown('trade:NO_USD', 'NO_USD')]}                          | ${'an unknown market'}
    ${['candle:BTC_USD', TRADES]}                                      | ${[TRADES]}                  | ${[noStream('candle:BTC_USD')]}                                 | ${'an unknown channel'}
    ${['', 'ticker:X', TRADES, 'orders']}                              | ${[TRADES]}                  | ${[noStream(''), unknown('ticker:X', 'X'), noStream('orders')]} | ${'several'}
    ${[`trade:${'X'.repeat(200)}`, TRADES]}                            | ${[TRADES]}                  | ${[unknown(`trade:${'X'.repeat(34)}…`, `${'X'.repeat(40)}…`)]}  | ${'a long name, shortened'}
    ${['trade:X', 'book:BTC_USD']}                                     | ${undefined}                 | ${[unknown('trade:X', 'X'), noStream('book:BTC_USD')]}          | ${'all of them'}
    ${[TRADES, 'trade:X', TRADES, 'trade:X', 'trade:ETH_USD', TRADES]} | ${[TRADES, 'trade:ETH_USD']} | ${[unknown('trade:X', 'X')]}                                    | ${'each twice'}
  `('is reported, and the good ones are followed: $why', async ({ streams, followed, errors }) => {
    const stream = await open()
    stream.send({ op: 'subscribe', streams, id: 7 })
    stream.send({ op: 'unsubscribe', streams: ['ticker:ETH_USD'], id: 'last' })
    await stream.until(() => stream.heard.some(({ id }) => id === 'last'))
    expect(stream.heard.slice(0, -1)).toEqual([
      ...(followed === undefined ? [] : [{ op: 'subscribed', streams: followed, id: 7 }]),
      ...(errors as object[]).map((error) => ({ op: 'error', error, id: 7 })),
    ])
    await stream.subscribe('ticker:ETH_USD')
    served.print('BTC_USD', 10_000)
    served.print('ETH_USD', 10_000)
    await stream.until(() => stream.of('ticker:ETH_USD').length === 1)
    const events = stream.heard.flatMap(({ stream: name }) => name ?? []).filter((name) => name !== 'ticker:ETH_USD')
    expect(events.sort()).toEqual([...((followed as string[] | undefined) ?? [])].sort())
  })

  it('does not keep a client from leaving the good ones', async () => {
    const stream = await open()
    await stream.subscribe(TRADES, 'trade:ETH_USD')
    stream.send({ op: 'unsubscribe', streams: ['trade:NO_USD', TRADES], id: 1 })
    await stream.until(() => stream.heard.length === 3)
    expect(stream.heard.slice(1)).toEqual([
      { op: 'unsubscribed', streams: [TRADES], id: 1 },
      { op: 'error', error: unknown('trade:NO_USD', 'NO_USD'), id: 1 },
    ])
    served.print('BTC_USD', 10_000)
    served.print('ETH_USD', 10_000)
    await stream.until(() => stream.of('trade:ETH_USD').length === 1)
    expect(stream.of(TRADES)).toEqual([])
  })

  it('counts one bad message a request, however many names are bad', async () => {
    const stream = await open()
    const bad = Array.from({ length: 500 }, (_, at) => `trade:X${at}`)
    stream.send({ op: 'subscribe', streams: [TRADES, ...bad] })
    await stream.until(() => stream.heard.length === 501)
    expect(await stream.subscribe(TRADES)).toMatchObject({ op: 'subscribed' })
  })
})

describe('a connection', () => {
  it('is closed with 1009 for a message of more than 16 KiB', async () => {
    const stream = await open()
    expect(await stream.ask('x'.repeat(16 * 1024))).toMatchObject({ op: 'error' })
    stream.send('x'.repeat(16 * 1024 + 1))
    expect(await stream.closed).toEqual([1009, ''])
  })

  it('is closed with 1009 for one that comes in parts', async () => {
    const stream = await open()
    stream.socket.send('x'.repeat(10_000), { fin: false })
    stream.socket.send('x'.repeat(10_000), { fin: true })
    expect(await stream.closed).toEqual([1009, ''])
  })

  it('is closed as the client asks', async () => {
    const stream = await open()
    await stream.subscribe(TRADES)
    stream.socket.close(4001, 'enough')
    expect(await stream.closed).toEqual([4001, 'enough'])
    served.print('BTC_USD', 10_000)
    const other = await open()
    expect(await other.subscribe(TRADES)).toMatchObject({ op: 'subscribed' })
  })

  it('is closed with 1001 when the server stops', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, open))
    await served.server.close()
    for (const stream of streams) expect(await stream.closed).toEqual([1001, 'the server stops'])
  })

  it('that does not close by itself does not keep the server from stopping', async () => {
    const stream = await open()
    stream.socket.pause()
    await served.server.close()
    stream.socket.terminate()
  })
})

describe('how many streams', () => {
  it('a connection may follow is limited, over all of its messages', async () => {
    await served.server.close()
    served = await serveMarket({ wire: { streams: { subscriptions: 3 } } })
    const stream = await open()
    await stream.subscribe(TRADES, TICKERS)
    const { error, op } = await stream.subscribe('trade:ETH_USD', 'ticker:ETH_USD')
    expect([op, error]).toEqual(['error', { code: 'VALIDATION_ERROR', message: 'streams: at most 3 a connection' }])
    await stream.ask({ op: 'unsubscribe', streams: [TICKERS] })
    expect(await stream.subscribe('trade:ETH_USD', 'ticker:ETH_USD')).toMatchObject({ op: 'subscribed' })
  })
})

describe('how many bad messages', () => {
  it('a connection may send is limited: then it is closed with 1008, and nothing behind them is heard', async () => {
    const stream = await open()
    for (let count = 0; count < 5_000; count += 1) stream.send(count % 2 === 0 ? 'x' : '{')
    stream.send({ op: 'subscribe', streams: [TRADES] })
    expect(await stream.closed).toEqual([1008, 'too many bad messages'])
    expect(stream.heard.map(({ op }) => op)).toEqual(Array.from({ length: 101 }, () => 'error'))
    expect(await (await open()).subscribe(TRADES)).toMatchObject({ op: 'subscribed' })
  })

  it('is counted from zero after each ping, and good ones are not counted', async () => {
    await served.server.close()
    served = await serveMarket({ wire: { streams: { badMessages: 3, pingMs: 100, silentMs: 60_000 } } })
    const stream = await open()
    for (let pings = 0; pings < 3; pings += 1) {
      await new Promise((resolve) => stream.socket.once('ping', resolve))
      for (let count = 0; count < 3; count += 1) await stream.ask('x')
      for (let count = 0; count < 20; count += 1) await stream.subscribe(TRADES)
    }
    expect(stream.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('and all others are answered in their order, however many come at once', async () => {
    const stream = await open()
    for (let id = 0; id < 2_000; id += 1) stream.send({ op: 'subscribe', streams: [TRADES], id })
    await stream.until(() => stream.heard.length === 2_000)
    expect(stream.heard.map(({ id }) => id)).toEqual(Array.from({ length: 2_000 }, (_, id) => id))
  })
})

describe('silence', () => {
  const quick = { wire: { streams: { pingMs: 40, silentMs: 120, closingMs: 100 } } }

  it('is broken by pings, and anyone who answers stays', async () => {
    await served.server.close()
    served = await serveMarket(quick)
    const stream = await open()
    let pings = 0
    await new Promise<void>((resolve) => {
      stream.socket.on('ping', () => {
        pings += 1
        if (pings === 6) resolve()
      })
    })
    expect(stream.socket.readyState).toBe(WebSocket.OPEN)
    expect(await stream.subscribe(TRADES)).toMatchObject({ op: 'subscribed' })
  })

  it('without a pong closes the connection, whatever else the client says', async () => {
    await served.server.close()
    served = await serveMarket(quick)
    const stream = await listenTo(served.server.streamUrl, { autoPong: false })
    const talk = setInterval(() => {
      if (stream.socket.readyState === WebSocket.OPEN) stream.send({ op: 'subscribe', streams: [TRADES] })
    }, 10)
    expect(await stream.closed).toEqual([1008, 'no pong'])
    clearInterval(talk)
  })

  it('of a client that has gone without a word ends its connection', async () => {
    await served.server.close()
    served = await serveMarket(quick)
    const stream = await listenTo(served.server.streamUrl, { autoPong: false })
    stream.socket.pause()
    // Reads nothing, not even the close: the server ends it.
    await new Promise((resolve) => setTimeout(resolve, 400))
    stream.socket.resume()
    expect(await stream.closed).toEqual([1008, 'no pong'])
  })
})
