/**
 * A watch on the portfolio of an account.
 */
import { expect, it } from 'vitest'
import { ExchangeError } from '../../../src/domain/errors.ts'
import { PortfolioWatch } from '../../../src/runtime/live/portfolio-watch.ts'
import type { WirePortfolio } from '../../../src/wire/wire-portfolio.ts'
import { FakeLiveTime } from '../../adapter/live/rig/fake-live-time.ts'

const portfolio = (partial: boolean): WirePortfolio => ({
  quoteAsset: 'USD',
  equity: '12.5',
  baselineEquity: '10',
  pnl: '2.5',
  pnlPercent: '25',
  baselineAt: 0,
  asOf: 0,
  partial,
  positions: [],
})

it('asks once a minute, warns each time that it becomes partial, and stands a read that fails', async () => {
  const time = new FakeLiveTime()
  const answers = ['whole', 'partial', 'partial', 'fails', 'whole', 'partial'] as const
  const warned: string[] = []
  const seen: number[] = []
  let asked = 0
  const watch = new PortfolioWatch({
    time,
    read: () => {
      const answer = answers[asked] ?? 'fails'
      asked += 1
      return answer === 'fails'
        ? Promise.reject(new ExchangeError('NO_ANSWER', 'no answer'))
        : Promise.resolve(portfolio(answer === 'partial'))
    },
    onWarning: (text) => warned.push(text),
    onError: (error) => {
      throw error
    },
  })
  watch.start()
  while (seen.length < answers.length) {
    await time.pass(59_999)
    seen.push(watch.warnings.length)
    await time.pass(1)
  }
  expect(seen).toEqual([0, 1, 1, 1, 0, 1])
  expect(warned).toHaveLength(2)
  expect(warned[0]).toContain('equity of 12.5 USD is incomplete')
  watch.stop()
  await time.pass(600_000)
  expect(asked).toBe(answers.length + 1)
})

it('hands on an error of ours, and asks again', async () => {
  const time = new FakeLiveTime()
  const bug = new Error('a bug')
  const errors: unknown[] = []
  const watch = new PortfolioWatch({
    time,
    read: () => Promise.reject(bug),
    onWarning: () => undefined,
    onError: (error) => errors.push(error),
  })
  watch.start()
  await time.pass(60_001)
  watch.stop()
  expect(errors).toEqual([bug, bug])
})
