/**
 * Results of the tests of a sweep's best: a test without a result never counts as passed.
 */
import { expect, it } from 'vitest'
import { testResults, type RequestedTests } from '../../src/sweep/requested-tests.ts'

const none: RequestedTests = { nullTapes: null, walkForward: null, crossValidation: null, monteCarlo: null }

it.each([
  { pValue: 0.3, text: 'the p-value is 30.0 %, and at most 5.0 % is required' },
  { pValue: 6 / 119, text: 'the p-value is 5.04 %, and at most 5.0 % is required' },
  { pValue: 51 / 1_019, text: 'the p-value is 5.005 %, and at most 5.0 % is required' },
])('a p-value of $pValue is reported from the limit that it missed', ({ pValue, text }) => {
  const nullTapes = { pValue, tapes: 1_018 } as unknown as RequestedTests['nullTapes']
  expect(testResults({ ...none, nullTapes }).failed).toEqual([text])
})

it('a walk-forward window that failed counts against the best', () => {
  const windows = [{ error: null }, { error: 'the strategy failed' }]
  const walkForward = { efficiency: 0.9, return: 0.1, windows } as unknown as RequestedTests['walkForward']
  expect(testResults({ ...none, walkForward }).failed).toEqual(['1 of 2 walk-forward windows failed'])
  const kept = { efficiency: 0.4996, return: 0.1, windows: [] } as unknown as RequestedTests['walkForward']
  expect(testResults({ ...none, walkForward: kept }).failed).toEqual([
    'walk-forward kept 49.96 % of the growth, and at least 50 % is required',
  ])
})

it('a Monte Carlo without enough returns has no result', () => {
  expect(testResults(none)).toEqual({ failed: [], unknown: [] })
  const monteCarlo = { trips: null, equity: null } as unknown as RequestedTests['monteCarlo']
  expect(testResults({ ...none, monteCarlo })).toEqual({
    failed: [],
    unknown: ['Monte Carlo needs at least ten returns'],
  })
})
