/** Recordings as `papertape record` writes them, played by an emulator. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StoreRecording } from '../../../src/store/recordings/store-recording.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { ask, emulators, keyOf, LIMIT_BUY } from '../rig/emulator-caller.ts'

const { folder, write } = temporaryFiles()
const start = emulators()

const START = 1_700_000_000_000
const HEADER = 'trade_id,time_ms,price,qty,is_buyer_maker,symbol'

const rows = (symbol: string, seconds: readonly number[]): string =>
  [
    HEADER,
    ...seconds.map((at, index) => `${index + 1},${START + at * 1_000},100.5${index},1.25,true,${symbol}`),
    '',
  ].join('\n')

it('plays every recording of a folder, and pauses a market by name in its gaps', async () => {
  mkdirSync(join(folder, 'tapes'))
  write(rows('BTC_USD', [0, 10, 70, 80]), 'tapes/btc_usd.csv')
  write(rows('ETH_USD', [5, 75]), 'tapes/eth_usd.csv')
  write(`from,to,why\n${START + 10_000},${START + 70_000},lost on the way\n`, 'tapes/btc_usd.gaps.csv')
  write('from,to,why\n', 'tapes/eth_usd.gaps.csv')
  write(rows('XRP_USD', []), 'tapes/xrp_usd.csv')
  const emulator = await start({ virtualClock: true, replay: [{ file: join(folder, 'tapes') }] })
  expect(emulator.markets.map(({ symbol }) => symbol)).toEqual(['BTC_USD', 'ETH_USD'])
  const buy = (symbol: string): ReturnType<typeof ask> =>
    ask(emulator, '/orders', { key: keyOf(emulator), body: { ...LIMIT_BUY, symbol, price: '10.00', qty: '1' } })
  await emulator.advance(9_000)
  expect(await buy('BTC_USD')).toMatchObject({ status: 201 })
  await emulator.advance(20_000)
  expect(await buy('BTC_USD')).toMatchObject({
    json: {
      error: { code: 'ORDER_REJECTED', message: 'market BTC_USD is paused: its recording has a gap (lost on the way)' },
    },
  })
  expect(await buy('ETH_USD')).toMatchObject({ status: 201 })
  await emulator.advance(41_000)
  expect(await buy('BTC_USD')).toMatchObject({ status: 201 })
  const one = await start({ virtualClock: true, replay: [{ file: join(folder, 'tapes'), symbol: 'ETH_USD' }] })
  expect(one.markets.map(({ symbol }) => symbol)).toEqual(['ETH_USD'])
  await expect(start({ replay: [{ file: folder }] })).rejects.toThrow('is a folder without recorded trades')
})

it('plays every market of a database', async () => {
  const file = join(folder, 'recorded.db')
  for (const symbol of ['BTC_USD', 'ETH_USD']) {
    const recording = StoreRecording.open(file, { symbol, pricePrecision: 2, qtyPrecision: 2 })
    recording.append({ id: '1', createdAt: START, price: '100.50', qty: '1.25', isBuyerMaker: true })
    recording.close()
  }
  const emulator = await start({ virtualClock: true, replay: [{ file }] })
  expect(emulator.markets.map(({ symbol }) => symbol)).toEqual(['BTC_USD', 'ETH_USD'])
})
