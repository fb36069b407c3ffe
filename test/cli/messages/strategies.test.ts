/**
 * `papertape strategies`: every ready strategy with what it believes and its parameters.
 */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { premiseIn } from '../../../src/cli/strategies/premise.ts'
import { cliFolderHere } from '../rig/cli-here.ts'

const { cli } = cliFolderHere()
const READY = readdirSync(new URL('../../../strategies/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))

describe('papertape strategies', () => {
  it.concurrent('lists them in 80 columns', async () => {
    const { code, stdout, stderr } = await cli('strategies')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    expect(stdout.split('\n').filter((line) => /^\S/.test(line))).toEqual(READY.sort())
    expect(stdout).toContain(
      'sma-cross\n  Moving average crossover: buys when the fast average of the closes rises above\n  the slow one, sells all when it falls below.\n',
    )
    expect(stdout).toMatch(/\n {4}symbol {4}market to trade \(default: the first tape\)\n/)
    expect(stdout).toMatch(/\n {4}fast {6}candles in the fast average \(default: 10\)\n/)
  })

  it.concurrent('as JSON, each with the types and defaults of its parameters', async () => {
    const { code, stdout, stderr } = await cli('strategies', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const listed = JSON.parse(stdout) as { name: string; belief: string; params: object[] }[]
    expect(listed.map(({ name }) => name)).toEqual(READY.sort())
    for (const { belief } of listed) expect(belief).toMatch(/^\S.+\.$/)
    expect(listed.find(({ name }) => name === 'sma-cross')?.params).toContainEqual({
      name: 'fast',
      type: 'integer',
      description: 'candles in the fast average',
      default: 10,
      isRequired: false,
    })
  })
})

it.each`
  source                                          | belief
  ${'/**\n * One thing.\n * Another.\n */\n'}     | ${'One thing.'}
  ${'/** At 0.5 of it: buys\n * more. Sells. */'} | ${'At 0.5 of it: buys more.'}
  ${'/** No end */'}                              | ${'No end'}
  ${'export {}'}                                  | ${''}
`('the first sentence of $source is $outlier filter', ({ source, belief }) => {
  expect(premiseIn(source)).toBe(belief)
})
