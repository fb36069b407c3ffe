/** Finished runs and recordings from a program, by `papertape/run`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { backtest, diff, exportTape, importTapes, report, why } from '../../src/run.ts'
import { BUY_AND_HOLD, TRADES } from '../cli/rig/sample-files.ts'
import { cliFolderHere } from '../cli/rig/cli-here.ts'

const { folder, write } = cliFolderHere()
const tape = write(TRADES, 'tape.csv')
const strategy = write(BUY_AND_HOLD, 'hold.js')

const runTo = async (name: string, qty: string): Promise<string> => {
  const out = join(folder, name)
  await backtest({ strategy, params: { qty }, tapes: { A_USD: tape }, liquidity: { model: 'ideal' }, out })
  return out
}

describe('finished runs', () => {
  it('are explained, compared and reported', async () => {
    const [one, other] = [await runTo('one', '1'), await runTo('other', '2')]
    const [, row = ''] = readFileSync(join(one, 'orders.csv'), 'utf8').split('\n')
    const answer = await why(one, row.split(',')[0] ?? '')
    expect(answer).toMatchObject({ faults: [] })
    expect(answer.text).toContain(answer.verdict)
    await expect(why(one, '999999')).rejects.toThrow(InputError)
    expect(await diff([one, one])).toMatchObject({ isSame: true, partings: 0 })
    expect(await diff([one, other])).toMatchObject({ isSame: false })
    const out = join(folder, 'both.html')
    expect(await report({ runs: [one, other], out })).toEqual([])
    expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>/i)
    await expect(report({ runs: [folder], out })).rejects.toThrow(InputError)
  })
})

describe('recordings', () => {
  it('are imported once, and exported', async () => {
    const into = join(folder, 'all.tape')
    const files = [{ file: tape, symbol: 'A_USD' }]
    expect(await importTapes({ files, into })).toMatchObject([
      { file: tape, symbol: 'A_USD', kind: 'trades', imported: 6, duplicate: 0 },
    ])
    expect(await importTapes({ files, into })).toMatchObject([{ imported: 0, duplicate: 6 }])
    const out = join(folder, 'out.csv')
    expect(await exportTape({ tape: into, out, to: 1_700_000_002_000 })).toMatchObject({ rows: 2, kind: 'trades' })
    expect(existsSync(out)).toBe(true)
    await expect(exportTape({ tape: into, out })).rejects.toThrow(/exists already/)
    expect(await exportTape({ tape: into, out, force: true })).toMatchObject({ rows: 6 })
  })
})
