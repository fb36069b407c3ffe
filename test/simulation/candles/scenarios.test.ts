/**
 * The rules of recorded candles, worked by hand: by the exchange, and by the rules written once more.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asWritten, candleScenarios } from './rig/candle-scenario.ts'
import { naiveCandles } from './rig/naive-candles.ts'
import { playCandles } from './rig/play-candles.ts'

const text = readFileSync(new URL('candles.scenario.txt', import.meta.url), 'utf8')

describe.each(candleScenarios(text))('$title', ({ candles, requests, options, fills, expected }) => {
  it('as the exchange has it', () => {
    expect(asWritten(playCandles(candles, requests, options, fills))).toEqual([...expected].sort())
  })

  it('as the plain rules have it', () => {
    expect(asWritten(naiveCandles(candles, requests, options))).toEqual([...expected].sort())
  })
})

it('every rule has a scenario', () => {
  const titles = candleScenarios(text).map(({ title }) => title.split(' ')[0])
  const rules = [...Array.from({ length: 12 }, (_, index) => `A.${index + 1}`), 'C.4']
  expect([...new Set(titles)]).toEqual(rules)
})
