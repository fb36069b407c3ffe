/** What arrived within one millisecond, in the order in which the session had it. */
import { expect, it } from 'vitest'
import { readReceived } from '../../src/run/twin-tapes.ts'
import { ReceivedFile, type ReceivedRow } from '../../src/store/runs/received-file.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const row = (symbol: string, more: Partial<ReceivedRow>): ReceivedRow => ({
  ...{ arrivedAt: 1_000, symbol, createdAt: 999, trade: undefined },
  ...more,
})
const trade = (id: string): ReceivedRow => row('A_USD', { trade: { id, price: '1', qty: '1', isBuyerMaker: false } })

it('keeps the order of trades and of rows of series that arrived in the same millisecond', () => {
  const file = new ReceivedFile(folder, (error) => expect.unreachable(String(error)))
  const [first, second] = [row('a', { cells: { v: '1' } }), row('b', { cells: { v: '2' } })]
  for (const each of [trade('1'), first, trade('2'), second, row('A_USD', {}), trade('3')]) file.append(each)
  file.close()
  const { trades, series, gaps } = readReceived(`${folder}/received.csv`)
  // A backtest plays the trades of a millisecond before its rows of series.
  expect(trades.map(({ id, arrivedAt }) => [id, arrivedAt])).toEqual([
    ['1', 1_000],
    ['2', 1_001],
    ['3', 1_002],
  ])
  expect(series.map(({ name, arrivedAt }) => [name, arrivedAt])).toEqual([
    ['a', 1_000],
    ['b', 1_001],
  ])
  expect(gaps).toEqual([{ symbol: 'A_USD', arrivedAt: 1_001 }])
})
