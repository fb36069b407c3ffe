/**
 * A run can be verified as long as every file of its code is what ran.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { backtest, verify } from '../../src/run.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const SOURCES = {
  'buyer.ts': `import { defineStrategy } from 'papertape'
import { map, take } from 'rxjs'
import { z } from 'zod'
import { QTY } from './quantity.ts'
export default defineStrategy({
  name: 'buyer',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyMarket }) => trades(symbol).pipe(take(1), map(() => buyMarket(symbol, QTY))),
})`,
  'quantity.ts': "export { default as QTY } from './quantity.json'",
  'quantity.json': '{"default": "1"}',
  'model.ts': "export { create as default } from './create.ts'",
  'create.ts':
    "import { TapeLiquidity, TradeEstimates } from 'papertape/liquidity'\nexport const create = ({ terms, spread }) => new TapeLiquidity(new TradeEstimates(spread), terms)",
}
const out = join(folder, 'run')

beforeAll(async () => {
  for (const [name, text] of Object.entries(SOURCES)) write(text, name)
  const tape = write('time,price,qty\n1700000000000,100,1\n1700000001000,101,1\n', 'tape.csv')
  const path = (name: string): string => join(folder, name)
  await backtest({ strategy: path('buyer.ts'), liquidity: path('model.ts'), tapes: { A_USD: tape }, out })
})

it('names the files that are imported in run.json', () => {
  const { strategy } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { strategy: Record<string, unknown> }
  expect(strategy.imports).toEqual([
    { file: 'quantity.json', sha256: expect.any(String) },
    { file: 'quantity.ts', sha256: expect.any(String) },
  ])
})

it('is verified while nothing has changed', async () => {
  expect(await verify(out)).toMatchObject({ difference: undefined })
})

it.each(['buyer.ts', 'quantity.ts', 'quantity.json', 'model.ts', 'create.ts'] as const)(
  'a change of %s is noticed, also one that changes nothing else',
  async (name) => {
    const path = join(folder, name)
    try {
      writeFileSync(path, `${SOURCES[name]}\n`)
      await expect(verify(out)).rejects.toThrow(
        /(?:buyer|quantity|model)\.(?:ts|json): has changed: expected sha256 [0-9a-f]{64}, got [0-9a-f]{64}$/,
      )
    } finally {
      writeFileSync(path, SOURCES[name])
    }
  },
)
