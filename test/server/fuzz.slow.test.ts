import { expect, it } from 'vitest'
import { again, PROPERTY_SEED } from '../property/property.ts'
import { fuzzServer } from './rig/fuzz-server.ts'

const REQUESTS = 20_000
/** Megabytes. */
const MAX_GROWTH = 40
const MAX_RSS = 700

it(`stands ${REQUESTS} fuzzed requests and messages: no error of its own, every answer in its form, memory flat`, async () => {
  const { sent, answersByStatus, failures, heap, rss } = await fuzzServer({ requests: REQUESTS, seed: PROPERTY_SEED })
  expect(failures, again()).toEqual([])
  expect(sent).toBeGreaterThanOrEqual(REQUESTS)
  // What was sent reached every part of the service.
  for (const status of [200, 201, 204, 400, 401, 404, 405, 409, 413, 414, 415, 417, 422, 429, 431, 503, 504]) {
    expect(answersByStatus.get(status), `answers with ${status}`).toBeGreaterThan(0)
  }
  expect(heap[1] - heap[0]).toBeLessThan(MAX_GROWTH)
  expect(rss).toBeLessThan(MAX_RSS)
})
