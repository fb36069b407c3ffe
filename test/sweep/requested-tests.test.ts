/**
 * Results of the tests of a sweep's best: a test without a result never counts as passed.
 */
import { expect, it } from 'vitest'
import { testResults, type RequestedTests } from '../../src/sweep/requested-tests.ts'

const none: RequestedTests = { nullTapes: null, walkForward: null, crossValidation: null, monteCarlo: null }

it('a Monte Carlo without enough returns has no result', () => {
  expect(testResults(none)).toEqual({ failed: [], unknown: [] })
  const monteCarlo = { trips: null, equity: null } as unknown as RequestedTests['monteCarlo']
  expect(testResults({ ...none, monteCarlo })).toEqual({
    failed: [],
    unknown: ['Monte Carlo needs at least ten returns'],
  })
})
