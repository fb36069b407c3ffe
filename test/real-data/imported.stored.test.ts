/**
 * Recorded files, imported: what a tape of them plays is what the files themselves play.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { backtest } from '../../src/run/backtest.ts'
import { importRecordings } from '../../src/store/transfers/import-recordings.ts'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../src/store/tapes/open-tape.ts'
import { isCandleBlock } from '../../src/tape/tape.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url))
const isAbsent = !existsSync(DATA)
const { folder } = temporaryFiles()

type Candle = readonly [time: number, open: number, high: number, low: number, close: number, volume: number]

/** In ticks of 2 decimals and lots of 8. */
async function candlesOf(file: string, candleInterval: number): Promise<Candle[]> {
  const inspected = await inspectTape({ file, candleInterval }, { room: { bytes: 1e8 } })
  const candles: Candle[] = []
  for await (const block of openTape(inspected, { pricePrecision: 2, qtyPrecision: 8 }).blocks()) {
    if (!isCandleBlock(block)) throw new Error('candles')
    const { time, open, high, low, close, volume, length } = block
    for (let row = 0; row < length; row += 1) {
      const cell = (column: Float64Array): number => column[row] ?? Number.NaN
      candles.push([cell(time), cell(open), cell(high), cell(low), cell(close), cell(volume)])
    }
  }
  return candles
}

function minutesOf(seconds: readonly Candle[]): Candle[] {
  const minutes: Candle[] = []
  for (const [time, open, high, low, close, volume] of seconds) {
    const start = time - (time % 60_000)
    const last = minutes.at(-1)
    if (last?.[0] !== start) minutes.push([start, open, high, low, close, volume])
    else
      minutes.splice(-1, 1, [start, last[1], Math.max(last[2], high), Math.min(last[3], low), close, last[5] + volume])
  }
  return minutes
}

describe.skipIf(isAbsent)(
  `recorded files, imported${isAbsent ? ' (skipped: ../shared/data is not there)' : ''}`,
  () => {
    it('have minutes that are those of their seconds, in every figure', async () => {
      const place = { form: 'store', file: join(folder, 'lean.db') } as const
      const files = ['second', 'minute'].map((length) => ({
        file: `${DATA}/candles/coinbase_${length}_btcusd_20161007_trade.zip`,
      }))
      const manifests = await importRecordings(files, place, { importedAt: 0 })
      expect(manifests.map(({ symbol, intervalMs, imported }) => [symbol, intervalMs, imported])).toEqual([
        ['BTC_USD', 1000, 4063],
        ['BTC_USD', 60_000, 1419],
      ])
      const minutes = await candlesOf(place.file, 60_000)
      expect(minutesOf(await candlesOf(place.file, 1000))).toEqual(minutes)
      expect(minutes).toHaveLength(1419)
    })

    it('of a day of SPY give the digest that the file gives', async () => {
      const file = `${DATA}/tapes/normalised_spy_20131008_trades.csv.gz`
      const digestOf = async (tape: string): Promise<string> => {
        const tapes = [{ file: tape, symbol: 'SPY_USD' }]
        const { report } = await backtest({ strategy: 'sma-cross', tapes, bounds: false, keepRows: false })
        return report.digest
      }
      const digest = await digestOf(file)
      for (const place of [
        { form: 'store', file: join(folder, 'spy.db') },
        { form: 'tape-file', file: join(folder, 'spy.tape') },
      ] as const) {
        const [manifest] = await importRecordings([{ file, symbol: 'SPY_USD' }], place, { importedAt: 0 })
        expect(manifest).toMatchObject({ rowsIn: 451_545, imported: 451_545 })
        expect(await digestOf(place.file)).toBe(digest)
      }
    })
  },
)
