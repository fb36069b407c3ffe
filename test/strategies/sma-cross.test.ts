/**
 * The ready strategy `sma-cross`, by marbles: a letter is the close of a candle.
 */
import { readFileSync } from 'node:fs'
import { map, type Observable } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { MarketConfig } from '../../src/domain/market.ts'
import type { CandleLength } from '../../src/domain/candle-length.ts'
import type { CandlesOf } from '../../src/strategy/context.ts'
import type { Intent } from '../../src/strategy/intent.ts'
import { MarketCandle } from '../../src/strategy/market-data.ts'
import type { IntentStream } from '../../src/strategy/strategy.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { market } from '../exchange/rig/configs.ts'
import { eachIntent } from '../strategy/rig/each-intent.ts'
import { strategyContext } from '../strategy/rig/strategy-context.ts'

const SYMBOL = 'BTC_USD'
const CLOSES = { t: 1, l: 90, m: 100, h: 110, H: 200, K: 300 }

interface Case {
  /** Fast average of 1 candle, slow of 2, unless given otherwise. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly config?: Partial<MarketConfig>
  readonly available?: Readonly<Record<string, string>>
}

const candle = (close: number, config: MarketConfig): MarketCandle =>
  new MarketCandle({ time: 0, symbol: SYMBOL, open: close, high: close, low: close, close, volume: 1n }, config)

function textOf(intent: Intent): string {
  if (intent.type !== 'market') return intent.type
  return `${intent.side} ${String(intent.qty)} ${intent.symbol}`
}

const texts = (output: IntentStream): Observable<string> => eachIntent(output).pipe(map(textOf))

/** Runs the strategy on the closes of the marbles, and expects its intents as texts. */
function expectIntents(
  closes: string,
  intents: string,
  values: Readonly<Record<string, string>>,
  options: Case = {},
): void {
  const config = market(SYMBOL, { qtyPrecision: 2, ...options.config })
  const params = smaCross.params.parse({ symbol: SYMBOL, fast: 1, slow: 2, fraction: 1, ...options.params })
  const available = options.available ?? { USD: '1000', BTC: '2' }
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
  scheduler.run(({ hot, expectObservable }) => {
    const candles = hot(closes, CLOSES).pipe(map((close) => candle(close, config)))
    const context = strategyContext({
      params,
      markets: [config],
      available,
      candles: (() => candles) as unknown as CandlesOf,
    })
    expectObservable(texts(smaCross.run(context))).toBe(intents, values)
  })
}

const BUY = { b: 'BUY 9.09 BTC_USD' }
const SELL = { s: 'SELL 2 BTC_USD' }

describe('sma-cross', () => {
  it('buys when the fast average crosses above the slow one', () => {
    expectIntents('-m-l-h', '-----b', BUY)
  })

  it('sells all when it crosses below', () => {
    expectIntents('-m-h-l', '-----s', SELL)
  })

  it('acts once a cross, however long the averages stay apart', () => {
    expectIntents('-m-l-h-H-K-l-t', '-----b-----s', { ...BUY, ...SELL })
  })

  it.each(['-l-h-H-K', '-K-H-h-t', '-m-m-m-m'])('does nothing on the first state, which is no cross: %s', (closes) => {
    expectIntents(closes, '', {})
  })

  it('says nothing before the slow average is there', () => {
    expectIntents('-m-l-t-h', '-------b', BUY, { params: { slow: 3 } })
  })

  it('takes equal averages for no crossing, on whichever side they were', () => {
    expectIntents('-m-h-h', '', {})
    expectIntents('-m-h-h-H', '', {})
    expectIntents('-m-h-h-l', '-------s', SELL)
  })

  it.each`
    available       | why
    ${{ BTC: '2' }} | ${'without cash'}
    ${{ USD: '1' }} | ${'with less cash than a lot costs'}
  `('buys nothing $why', ({ available }) => {
    expectIntents('-m-l-h', '', {}, { available })
  })

  it.each`
    available            | why
    ${{ USD: '1000' }}   | ${'with nothing to sell'}
    ${{ BTC: '0.0099' }} | ${'with less than a lot'}
  `('sells nothing $why', ({ available }) => {
    expectIntents('-m-h-l', '', {}, { available })
  })

  it.each`
    qtyPrecision | takerFeeBps | fraction | qty         | why
    ${0}         | ${'0'}      | ${1}     | ${'9'}      | ${'whole lots'}
    ${4}         | ${'0'}      | ${1}     | ${'9.0909'} | ${'as fine as the market allows'}
    ${2}         | ${'0'}      | ${0.5}   | ${'4.54'}   | ${'the fraction of the cash'}
    ${2}         | ${'100'}    | ${1}     | ${'9'}      | ${'with room for the fee'}
  `('buys $qty with 1000 at 110: $why', ({ qtyPrecision, takerFeeBps, fraction, qty }) => {
    const config = { qtyPrecision, takerFeeBps }
    expectIntents('-m-l-h', '-----b', { b: `BUY ${String(qty)} BTC_USD` }, { config, params: { fraction } })
  })

  it('sells no more than whole lots', () => {
    expectIntents('-m-h-l', '-----s', { s: 'SELL 1.23 BTC_USD' }, { available: { BTC: '1.239' } })
  })

  it('asks for the candles of its market and interval', () => {
    const asked: string[] = []
    const params = smaCross.params.parse({ symbol: SYMBOL, interval: '1h' })
    const context = strategyContext({ params, markets: [market(SYMBOL)] })
    smaCross.run({
      ...context,
      candles: ((symbol: string, interval: CandleLength) => (
        asked.push(`${symbol} ${interval}`),
        context.candles(symbol, interval)
      )) as CandlesOf,
    })
    expect(asked).toEqual(['BTC_USD 1h'])
  })
})

describe('its parameters', () => {
  it('have defaults for all but the symbol', () => {
    expect(smaCross.params.parse({ symbol: SYMBOL })).toEqual({
      symbol: SYMBOL,
      interval: '1m',
      fast: 10,
      slow: 30,
      fraction: 0.95,
    })
  })

  it.each([{}, { symbol: SYMBOL, fast: 30 }, { symbol: SYMBOL, fast: 0 }, { symbol: SYMBOL, fraction: 1.1 }])(
    'refuse %j',
    (params) => {
      expect(smaCross.params.safeParse(params).success).toBe(false)
    },
  )
})

it('is a file that a beginner can read: under 80 lines', () => {
  expect(readFileSync('strategies/sma-cross.ts', 'utf8').split('\n').length).toBeLessThan(80)
})
