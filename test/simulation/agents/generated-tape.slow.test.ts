import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, DAY_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import { generatedMarket, generatedTrades } from '../../../src/simulation/agents/generated-tape.ts'
import { tapeCsv } from '../../../src/store/tapes/tape-writer.ts'

const FROM = Date.UTC(2024, 0, 1)
const BTC_USD = generatedMarket('--symbol', 'BTC_USD')

const csvOf = (days: number, seed: number, market = BTC_USD): string =>
  [...tapeCsv(market, generatedTrades({ market, from: FROM, to: FROM + days * DAY_MS, seed }))].join('')

const bundled = (name = 'btc_usd'): string =>
  gunzipSync(readFileSync(new URL(`../../../data/${name}.csv.gz`, import.meta.url))).toString()
const readme = (): string => readFileSync(new URL('../../../data/README.md', import.meta.url), 'utf8')

interface Row {
  readonly id: number
  readonly time: number
  readonly price: string
  readonly qty: string
  readonly side: string
}

const rowsOf = (csv: string): readonly Row[] =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', time = '', price = '', qty = '', side = ''] = line.split(',')
      return { id: Number(id), time: Number(time), price, qty, side }
    })

describe('a generated tape', () => {
  it('begins like this for seed 1', () => {
    expect(csvOf(1, 1).split('\n').slice(0, 9)).toEqual([
      'trade_id,time_ms,price,qty,is_buyer_maker',
      '1,1704067257608,41992.84,0.00512,true',
      '2,1704067383195,41995.68,0.00900,true',
      '3,1704067446140,42004.56,0.01284,true',
      '4,1704067446140,42004.55,0.00629,true',
      '5,1704067446140,42004.51,0.00917,true',
      '6,1704067518340,42004.56,0.01183,true',
      '7,1704067518340,42004.55,0.00533,true',
      '8,1704067518340,42004.50,0.00241,true',
    ])
  })

  it('depends on the seed, and on nothing else', () => {
    const first = csvOf(1, 1)
    expect(csvOf(1, 1)).toBe(first)
    expect(csvOf(1, 2)).not.toBe(first)
  })

  it('goes its own way in every market: hours that rise in one may fall in another', () => {
    const rises = (symbol: string): readonly boolean[] => {
      const rows = rowsOf(csvOf(3, 1, generatedMarket('--symbol', symbol)))
      const closes = [...new Map(rows.map(({ time, price }) => [Math.floor(time / HOUR_MS), Number(price)])).values()]
      return closes.map((close, index) => close > (closes[index - 1] ?? close))
    }
    const [btc, eth] = [rises('BTC_USD'), rises('ETH_USD')]
    const together = btc.filter((rise, index) => rise === eth[index]).length
    expect(btc).toHaveLength(72)
    expect(together).toBeGreaterThan(20)
    expect(together).toBeLessThan(52)
  })

  it('of more days begins with that of fewer', () => {
    const short = csvOf(1, 5)
    expect(csvOf(2, 5).slice(0, short.length)).toBe(short)
  })

  it('is made as it is read: the first trades of ten years are there at once', () => {
    const trades = generatedTrades({ market: BTC_USD, from: FROM, to: FROM + 3650 * DAY_MS, seed: 1 })
    const first = [trades.next(), trades.next()].map(({ value }) => value?.id)
    trades.return()
    expect(first).toEqual([1, 2])
  })

  it('refuses a symbol that is none', () => {
    expect(() => generatedMarket('--symbol', 'BTCUSD')).toThrow('--symbol: expected a symbol of the form BASE_QUOTE')
  })
})

describe('the bundled tape', () => {
  it('is what `papertape generate --days 30 --seed 1` makes, byte for byte', () => {
    const csv = csvOf(30, 1)
    // Not toBe: no one wants to read a difference of megabytes.
    expect(csv === bundled()).toBe(true)
  })

  it('is described in data/README.md', () => {
    const csv = bundled()
    expect(readme()).toContain(createHash('sha256').update(csv).digest('hex'))
    expect(readme()).toContain(`${rowsOf(csv).length} rows`)
  })

  it('has a second market beside it: what `papertape generate --days 10 --seed 2 --symbol ETH_USD` makes', () => {
    const csv = csvOf(10, 2, generatedMarket('--symbol', 'ETH_USD'))
    expect(csv === bundled('eth_usd')).toBe(true)
    expect(readme()).toContain(createHash('sha256').update(csv).digest('hex'))
    expect(readme()).toContain(`${rowsOf(csv).length} rows`)
  })

  it('is small', () => {
    expect(readFileSync(new URL('../../../data/btc_usd.csv.gz', import.meta.url)).length).toBeLessThan(2_000_000)
  })

  describe('looks like a market', () => {
    const rows = rowsOf(bundled())
    const share = (count: number): number => count / rows.length
    /** Neighbours of which `holds`. */
    const neighbours = (holds: (before: Row, row: Row) => boolean): number =>
      rows.filter((row, index) => index > 0 && holds(rows[index - 1] ?? row, row)).length

    it('in its form: ids without a gap, time that never goes back, two and five decimals, two sides', () => {
      expect(rows.length).toBeGreaterThan(90_000)
      expect(rows.length).toBeLessThan(120_000)
      rows.forEach(({ id, time, price, qty, side }, index) => {
        const isSound =
          id === index + 1 &&
          time >= (rows[index - 1]?.time ?? FROM) &&
          time < FROM + 30 * DAY_MS &&
          /^[1-9][0-9]*\.[0-9]{2}$/.test(price) &&
          /^[0-9]+\.[0-9]{5}$/.test(qty) &&
          Number(qty) > 0 &&
          ['true', 'false'].includes(side)
        expect(isSound, `row ${index + 1}`).toBe(true)
      })
    })

    it('in its prices: a month within a tenth to a third, and a spread of a few ticks where trades are close', () => {
      const prices = rows.map(({ price }) => Number(price))
      const range = prices.reduce((high, price) => Math.max(high, price), 0) / Math.min(...prices.slice(0, 100_000))
      expect(range).toBeGreaterThan(1.1)
      expect(range).toBeLessThan(1.35)
      const flips = rows.flatMap((row, index) => {
        const before = rows[index - 1]
        if (before === undefined || before.side === row.side || row.time - before.time > 1000) return []
        return [Math.abs(Number(row.price) - Number(before.price))]
      })
      const middle = flips.sort((left, right) => left - right)[Math.floor(flips.length / 2)]
      expect(middle).toBeLessThanOrEqual(0.1)
    })

    it('in its rhythm: trades in most minutes but not in all, a busy afternoon and a quiet night', () => {
      const minutes = new Set(rows.map(({ time }) => Math.floor(time / MINUTE_MS))).size / (30 * 1440)
      expect(minutes).toBeGreaterThan(0.6)
      expect(minutes).toBeLessThan(0.95)
      const atHour = (hour: number): number =>
        rows.filter(({ time }) => Math.floor((time % DAY_MS) / HOUR_MS) === hour).length
      expect(atHour(15)).toBeGreaterThan(2 * atHour(3))
    })

    it('in its orders: sweeps over several prices in one millisecond, buyers and sellers in turn', () => {
      const sweeps = neighbours((before, row) => before.time === row.time && before.price !== row.price)
      expect(share(sweeps)).toBeGreaterThan(0.1)
      expect(share(neighbours((before, row) => before.side !== row.side))).toBeGreaterThan(0.15)
      expect(Math.abs(share(rows.filter(({ side }) => side === 'true').length) - 0.5)).toBeLessThan(0.1)
    })

    it('in its sizes: the largest are a thousand times the usual', () => {
      const sizes = rows.map(({ qty }) => Number(qty)).sort((left, right) => left - right)
      const at = (quantile: number): number => sizes[Math.floor(quantile * (sizes.length - 1))] ?? 0
      expect(at(1) / at(0.5)).toBeGreaterThan(500)
      expect(at(0.999) / at(0.5)).toBeGreaterThan(100)
    })

    it('in its moves: minutes with far larger ones than a bell curve has, and large ones close to each other', () => {
      const closes = new Map(rows.map(({ time, price }) => [Math.floor(time / MINUTE_MS), Number(price)]))
      const values = [...closes.values()]
      const moves = values.slice(1).map((close, index) => Math.abs(close / (values[index] ?? close) - 1))
      const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
      const variance = mean(moves.map((move) => move * move))
      // 3 for a bell curve.
      expect(mean(moves.map((move) => move ** 4)) / variance ** 2).toBeGreaterThan(5)
      const usual = mean(moves)
      const afterLarge = moves.filter((_, index) => (moves[index - 1] ?? 0) > 3 * usual)
      expect(mean(afterLarge)).toBeGreaterThan(1.3 * usual)
    })
  })
})
