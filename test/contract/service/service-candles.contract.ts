/**
 * Candles: section 2 (Candle), section 4 (GET /markets/{symbol}/candles), decisions 2 and 3.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CandleJson } from '../../../src/domain/candle.ts'
import type { ServiceStage } from './service-stage.ts'
import { START } from './service-subject.ts'
import type { TestUser } from './test-user.ts'

const MINUTE = 60_000

export function describeCandles(open: () => Promise<ServiceStage>): void {
  let service: ServiceStage
  let maker: TestUser
  let taker: TestUser
  const get = async (path: string): Promise<unknown> => (await service.ask('GET', path)).json

  const trade = async (price: string, qty: string): Promise<void> => {
    await maker.limit('SELL', 'BTC_USD', price, qty)
    await taker.market('BUY', 'BTC_USD', qty)
  }

  beforeEach(async () => {
    service = await open()
    const credits = { USD: '1000000', BTC: '1000' }
    maker = await service.user({ credits })
    taker = await service.user({ credits })
  })
  afterEach(() => service.close())

  describe('section 2, Candle; section 4, GET /markets/{symbol}/candles; decisions 2 and 3', () => {
    const candles = async (query = ''): Promise<CandleJson[]> =>
      ((await get(`/markets/BTC_USD/candles${query}`)) as { data: CandleJson[] }).data
    const minutesOf = async (query: string): Promise<number[]> =>
      (await candles(query)).map(({ time }) => (time - START) / MINUTE)

    it('is empty without a trade', async () => {
      expect(await get('/markets/BTC_USD/candles')).toEqual({ data: [] })
    })

    it('opens at the Unix millisecond of its interval; the default interval is a minute; the last one still runs', async () => {
      await service.pass(1000)
      await trade('100', '1')
      await trade('120.5', '2')
      await trade('90', '0.5')
      await trade('110', '0.00001')
      const first = { time: START, symbol: 'BTC_USD', open: '100.00', high: '120.50', low: '90.00', close: '110.00' }
      expect(await candles()).toEqual([{ ...first, volume: '3.50001' }])
      await service.pass(5 * MINUTE)
      await trade('130', '1')
      const second = { open: '130.00', high: '130.00', low: '130.00', close: '130.00', volume: '1' }
      expect(await candles()).toEqual([
        { ...first, volume: '3.50001' },
        { time: START + 5 * MINUTE, symbol: 'BTC_USD', ...second },
      ])
      expect(await candles('?interval=1m')).toEqual(await candles())
      await trade('140', '1')
      expect((await candles()).at(-1)).toMatchObject({ close: '140.00', volume: '2' })
    })

    it('a trade on the boundary belongs to the candle that begins', async () => {
      await trade('100', '1')
      await service.pass(MINUTE)
      await trade('110', '1')
      expect((await candles()).map(({ time, close }) => [time - START, close])).toEqual([
        [0, '100.00'],
        [MINUTE, '110.00'],
      ])
    })

    it.each([
      ['1m', [0, 7, 35, 90]],
      ['5m', [0, 5, 35, 90]],
      ['15m', [0, 30, 90]],
      ['30m', [0, 30, 90]],
      ['1h', [0, 60]],
      ['4h', [0]],
      ['1d', [0]],
    ])('has the interval %s', async (interval, minutes) => {
      let now = 0
      for (const minute of [0, 7, 35, 90]) {
        await service.pass((minute - now) * MINUTE)
        now = minute
        await trade('100', '1')
      }
      expect(await minutesOf(`?interval=${interval}`)).toEqual(minutes)
    })

    it('from is inclusive, to exclusive; the newest ones up to the limit, in chronological order', async () => {
      for (let minute = 0; minute < 4; minute += 1) {
        await trade('100', '1')
        await service.pass(MINUTE)
      }
      const at = (minute: number): number => START + minute * MINUTE
      expect(await minutesOf('')).toEqual([0, 1, 2, 3])
      expect(await minutesOf(`?from=${at(1)}`)).toEqual([1, 2, 3])
      expect(await minutesOf(`?from=${at(1) + 1}`)).toEqual([2, 3])
      expect(await minutesOf(`?to=${at(2)}`)).toEqual([0, 1])
      expect(await minutesOf(`?to=${at(2) + 1}`)).toEqual([0, 1, 2])
      expect(await minutesOf(`?from=${at(1)}&to=${at(3)}`)).toEqual([1, 2])
      expect(await minutesOf(`?from=${at(3)}&to=${at(1)}`)).toEqual([])
      expect(await minutesOf('?limit=2')).toEqual([2, 3])
      expect(await minutesOf(`?limit=1&to=${at(2)}`)).toEqual([1])
      expect(await minutesOf(`?from=0&to=9007199254740991&limit=1000`)).toEqual([0, 1, 2, 3])
    })

    it('the default limit is 500, the most 1000', async () => {
      for (let minute = 0; minute < 502; minute += 1) {
        if (minute % 2 === 0) await maker.limit('SELL', 'BTC_USD', '100', '1')
        await taker.market('BUY', 'BTC_USD', '0.5')
        await service.pass(MINUTE)
      }
      expect((await candles()).length).toBe(500)
      expect((await candles('?limit=1000')).length).toBe(502)
    })

    it.each([
      ['limit', '0'],
      ['limit', '1001'],
      ['limit', 'x'],
      ['interval', '1s'],
      ['interval', '2m'],
      ['interval', '1M'],
      ['interval', ''],
      ['interval', '60'],
      ['from', '-1'],
      ['from', '1.5'],
      ['from', '2025-01-01'],
      ['to', 'now'],
      ['to', ''],
    ])('%s=%s is 400 VALIDATION_ERROR and names it', async (name, value) => {
      const { status, code, fields } = await service.ask('GET', `/markets/BTC_USD/candles?${name}=${value}`)
      expect([status, code, fields]).toEqual([400, 'VALIDATION_ERROR', [name]])
    })
  })
}
