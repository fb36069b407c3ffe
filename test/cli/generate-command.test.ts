import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { generateTape } from '../../src/cli/generate/run-generate-command.ts'
import { InputError } from '../../src/domain/errors.ts'
import { cliHere } from './rig/cli-here.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()

const count = (value: number): string => value.toLocaleString('en-US')

describe('papertape generate', () => {
  it('writes the file and says so in one line on stderr, and nothing on stdout', async () => {
    const file = join(folder, 'tape.csv.gz')
    const args = ['generate', '--days', '1', '--seed', '3', '--out', file]
    const { code, stdout, stderr } = await cliHere(args, { cwd: folder })
    const rows = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(
        `^${file}: ${count(rows.length - 1)} trades, 2024-01-01T00:.+Z to 2024-01-01T23:.+Z, ${count(readFileSync(file).length)} bytes\n$`,
      ),
    )
  })

  it('takes the market, the first day and the seed from its flags', async () => {
    const file = join(folder, 'other.csv')
    const rows = async (flags: Record<string, string>): Promise<readonly string[]> => {
      await generateTape({ days: '1', out: file, ...flags })
      return readFileSync(file, 'utf8').trimEnd().split('\n')
    }
    const [, btc] = await rows({})
    const [, eth] = await rows({ symbol: 'ETH_USD', start: '2026-02-03T04:05:06Z', seed: '-5' })
    expect(btc).toMatch(/^1,17040672[0-9]{5},4[12][0-9]{3}\.[0-9]{2},/)
    expect(eth).toMatch(/^1,17700[0-9]{8},2[23][0-9]{2}\.[0-9]{2},/)
    expect(Number(eth?.split(',')[1]) - Date.UTC(2026, 1, 3, 4, 5, 6)).toBeLessThan(600_000)
  })

  it.each`
    flags                      | message                                                             | why
    ${{ out: undefined }}      | ${'--out: missing: pass --out FILE'}                                | ${'no file'}
    ${{ out: '' }}             | ${'--out: expected a'}                                              | ${'an empty name'}
    ${{ out: ['a', 'b'] }}     | ${'--out: given 2 times, expected once'}                            | ${'two files'}
    ${{ days: '0' }}           | ${"--days: expected an integer from 1 to 3650, got '0'"}            | ${'no days'}
    ${{ days: '1.5' }}         | ${"--days: expected an integer from 1 to 3650, got '1.5'"}          | ${'half a day'}
    ${{ days: '3651' }}        | ${"--days: expected an integer from 1 to 3650, got '3651'"}         | ${'more than ten years'}
    ${{ seed: '2147483648' }}  | ${'--seed: expected an integer from -2147483648 to 2147483647'}     | ${'33 bits'}
    ${{ seed: 'x' }}           | ${'--seed: expected an integer'}                                    | ${'no number'}
    ${{ symbol: 'BTC' }}       | ${'--symbol: expected a symbol of the form BASE_QUOTE'}             | ${'one asset'}
    ${{ start: 'yesterday' }}  | ${'--start: expected a date from 1970 on, such as 2024-01-01, got'} | ${'no date'}
    ${{ start: '2015-02-30' }} | ${'--start: expected a date'}                                       | ${'a day that was not'}
    ${{ start: '1969-12-31' }} | ${'--start: expected a date'}                                       | ${'before 1970'}
  `('refuses $flags: $why', async ({ flags, message }) => {
    const file = join(folder, 'never.csv')
    const writing = generateTape({ out: file, days: '1', ...flags })
    await expect(writing).rejects.toThrow(InputError)
    await expect(writing).rejects.toThrow(message)
    expect(existsSync(file)).toBe(false)
  })
})
