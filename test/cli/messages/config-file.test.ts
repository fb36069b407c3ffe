/**
 * A config file as editors leave it, and with keys that are nearly right.
 */
import { beforeAll, expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolderHere } from '../rig/cli-here.ts'
import { BUY_AND_HOLD, TRADES } from '../rig/sample-files.ts'

const { cli, write } = cliFolderHere()

beforeAll(() => {
  write(TRADES, 'tape.csv')
  write(BUY_AND_HOLD, 'hold.js')
})

it('may begin with a mark of its byte order', async () => {
  write('\uFEFF{ "tape": "A_USD=tape.csv", "quiet": true }', 'marked.json')
  expect(await cli('backtest', 'hold.js', '--config', 'marked.json')).toMatchObject({ code: 0, stderr: '' })
})

it('suggests the nearer of two keys that are like an unknown one', async () => {
  write('{ "tape": "A_USD=tape.csv", "takerfees": "1" }', 'near.json')
  expectInputError(
    await cli('backtest', 'hold.js', '--config', 'near.json'),
    "near.json:1: unknown key 'takerfees'; did you mean 'takerFee'?",
  )
})
