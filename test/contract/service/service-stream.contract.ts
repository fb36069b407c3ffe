/**
 * The WebSocket: section 6, decisions 24 and 25.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tickerSchema, tradeSchema } from '../../../src/wire/schemas.ts'
import type { ServiceStage } from './service-stage.ts'
import { StreamClient } from './stream-client.ts'
import type { TestUser } from './test-user.ts'

const TRADES = 'trade:BTC_USD'
const TICKERS = 'ticker:BTC_USD'

export function describeStream(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let client: StreamClient
  let maker: TestUser
  let taker: TestUser

  beforeEach(async () => {
    service = await open()
    client = await StreamClient.open(service.addresses.streamUrl)
    const credits = { USD: '1000000', BTC: '1000', ONE: '1000' }
    maker = await service.user({ credits })
    taker = await service.user({ credits })
  })
  afterEach(async () => {
    await client.close()
    await service.close()
  })

  const trade = async (symbol = 'BTC_USD'): Promise<void> => {
    await maker.limit('SELL', symbol, '100', '1')
    await taker.market('BUY', symbol, '1')
  }
  const subscribe = (...streams: readonly string[]): object => ({ op: 'subscribe', streams })

  it('decision 24: GET {base_url}/ws', () => {
    const { baseUrl, streamUrl } = service.addresses
    expect(streamUrl).toBe(`${baseUrl.replace('http', 'ws')}/ws`)
  })

  describe('decision 24: subscribe and unsubscribe', () => {
    it('are answered with the streams and, when there is one, the id', async () => {
      const streams = [TRADES, TICKERS]
      expect(await client.answer({ op: 'subscribe', streams, id: 1 })).toEqual({ op: 'subscribed', streams, id: 1 })
      expect(await client.answer({ op: 'subscribe', streams })).toEqual({ op: 'subscribed', streams })
      expect(await client.answer({ op: 'unsubscribe', streams, id: 'x' })).toEqual({
        op: 'unsubscribed',
        streams,
        id: 'x',
      })
      expect(await client.answer({ op: 'unsubscribe', streams })).toEqual({ op: 'unsubscribed', streams })
    })

    it('a stream that is subscribed twice is reported once, and one that is not any more not at all', async () => {
      await client.answer(subscribe(TRADES, TRADES))
      await client.answer(subscribe(TRADES))
      await trade()
      expect(await client.next(1)).toMatchObject([{ stream: TRADES }])
      expect(await client.rest()).toEqual([])
      await trade()
      expect(await client.rest()).toEqual([])
    })
  })

  describe('section 6: trade:<SYMBOL> and ticker:<SYMBOL>', () => {
    it('report each trade as GET /markets/{symbol}/trades does, in its order', async () => {
      await client.answer(subscribe(TRADES))
      await maker.limit('SELL', 'BTC_USD', '100', '1')
      await maker.limit('SELL', 'BTC_USD', '101', '1')
      await taker.market('BUY', 'BTC_USD', '1.5')
      const reported = (await client.next(2)) as { stream: string; data: unknown }[]
      const { json } = await service.ask('GET', '/markets/BTC_USD/trades')
      expect(reported).toEqual([...(json as unknown[])].reverse().map((data) => ({ stream: TRADES, data })))
      for (const { data } of reported) expect(tradeSchema.parse(data)).toEqual(data)
    })

    it('report the ticker after a trade as GET /markets/{symbol}/ticker does', async () => {
      await client.answer(subscribe(TICKERS))
      await trade()
      const [reported] = (await client.next(1)) as { stream: string; data: unknown }[]
      expect(reported).toEqual({ stream: TICKERS, data: (await service.ask('GET', '/markets/BTC_USD/ticker')).json })
      expect(tickerSchema.parse(reported?.data)).toEqual(reported?.data)
    })

    it('only of the market that was asked for', async () => {
      await client.answer(subscribe(TRADES))
      await trade('ONE_USD')
      expect(await client.rest()).toEqual([])
    })

    it('nothing of what was before, and nothing of orders that only rest or go', async () => {
      await trade()
      await client.answer(subscribe(TRADES, TICKERS))
      const { id } = await maker.limit('SELL', 'BTC_USD', '100', '1')
      await maker.cancel(id)
      expect(await client.rest()).toEqual([])
    })

    it('to every client that asks, and a key is not needed', async () => {
      const other = await StreamClient.open(service.addresses.streamUrl)
      await client.answer(subscribe(TRADES))
      await other.answer(subscribe(TRADES))
      await trade()
      expect(await other.next(1)).toEqual(await client.next(1))
      await other.close()
    })
  })

  it('decision 24: a bad name is reported, and the valid streams of its request are followed', async () => {
    client.say({ op: 'subscribe', streams: ['ticker:XRP_USD', TRADES, 'depth:BTC_USD', TRADES], id: 3 })
    const codes = ['MARKET_NOT_FOUND', 'VALIDATION_ERROR']
    expect(await client.next(3)).toMatchObject([
      { op: 'subscribed', streams: [TRADES], id: 3 },
      ...codes.map((code) => ({ op: 'error', error: { code }, id: 3 })),
    ])
    await trade()
    expect(await client.next(1)).toMatchObject([{ stream: TRADES }])
  })

  describe('decision 24: errors; the connection stays', () => {
    it.each<[string, unknown, string, unknown?]>([
      ['an unknown market', { op: 'subscribe', streams: ['trade:XRP_USD'], id: 7 }, 'MARKET_NOT_FOUND', 7],
      ['a market in lower case', subscribe('trade:btc_usd'), 'MARKET_NOT_FOUND'],
      ['an unknown market, left', { op: 'unsubscribe', streams: ['trade:XRP_USD'] }, 'MARKET_NOT_FOUND'],
      ['an unknown stream', { ...subscribe('depth:BTC_USD'), id: 'a' }, 'VALIDATION_ERROR', 'a'],
      ['a private stream (decision 25)', subscribe('orders'), 'VALIDATION_ERROR'],
      ['a stream without a market', subscribe('trade:'), 'VALIDATION_ERROR'],
      ['no stream', subscribe(), 'VALIDATION_ERROR'],
      ['streams that are a text', { op: 'subscribe', streams: TRADES }, 'VALIDATION_ERROR'],
      ['a stream that is null', { op: 'subscribe', streams: [null] }, 'VALIDATION_ERROR'],
      ['an unknown op', { op: 'publish', streams: [TRADES], id: 1 }, 'VALIDATION_ERROR', 1],
      ['no op', { streams: [TRADES] }, 'VALIDATION_ERROR'],
      ['an unknown field', { ...subscribe(TRADES), key: 'x' }, 'VALIDATION_ERROR'],
      ['an empty object', {}, 'VALIDATION_ERROR'],
      ['an array', [], 'VALIDATION_ERROR'],
      ['a key that is there twice', `{"op":"subscribe","op":"subscribe","streams":["${TRADES}"]}`, 'VALIDATION_ERROR'],
      ['a binary message', Buffer.from(JSON.stringify(subscribe(TRADES))), 'VALIDATION_ERROR'],
      ['a number', '1', 'VALIDATION_ERROR'],
      ['null', 'null', 'VALIDATION_ERROR'],
      ['no JSON', 'subscribe', 'VALIDATION_ERROR'],
      ['nothing', '', 'VALIDATION_ERROR'],
    ])('%s', async (_what, message, code, id) => {
      const answer = (await client.answer(message)) as { error: { message: string } }
      const { message: text } = answer.error
      expect(text).not.toBe('')
      expect(answer).toEqual({ op: 'error', error: { code, message: text }, ...(id === undefined ? {} : { id }) })
      // Nothing of it was done.
      await trade()
      expect(await client.rest()).toEqual([])
      expect(await client.answer(subscribe(TRADES))).toEqual({ op: 'subscribed', streams: [TRADES] })
    })
  })
}
