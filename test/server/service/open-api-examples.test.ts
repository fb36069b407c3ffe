/**
 * The examples of both OpenAPI documents: there for every body, of the shape that the description says, and real: what
 * they ask is done.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isBodyless } from '../../../src/server/service/json-shapes.ts'
import type { Route } from '../../../src/server/service/route.ts'
import { servedRoutes } from '../../../src/server/served-routes.ts'
import { Faults } from '../../../src/server/faults/faults.ts'
import { ask, emulators, keyOf } from '../rig/emulator-caller.ts'
import { noWorlds } from '../rig/no-worlds.ts'
import { standingTime } from '../rig/standing-time.ts'

const content = z.object({
  schema: z.unknown(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
})
const contents = z.record(z.string(), content).optional()
const operation = z.object({
  operationId: z.string(),
  requestBody: z.object({ content: contents }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: contents })),
})
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
type Operation = z.output<typeof operation>

const start = emulators()
const QUIET = { virtualClock: true, config: { agents: false } } as const

const measured = (): never => {
  throw new Error('nobody asks')
}
const PARTS = { faults: new Faults([]), time: standingTime(), worlds: noWorlds, measured }
const ROUTES = [...servedRoutes(PARTS).values()].flat()
const routeOf = (id: string): Route | undefined => ROUTES.find(({ operationId }) => operationId === id)

async function operations(): Promise<readonly Operation[]> {
  const emulator = await start(QUIET)
  const documents = await Promise.all(
    ['/openapi.json', '/emulator/openapi.json'].map(async (path) => (await ask(emulator, path)).json),
  )
  return documents.flatMap((each) => Object.values(documentSchema.parse(each).paths).flatMap((at) => Object.values(at)))
}

const onlyOf = <Value>(each: Readonly<Record<string, Value>> = {}): Value | undefined => Object.values(each)[0]

it('every body that is asked for or answered has an example of its schema', async () => {
  const all = await operations()
  expect(all.length).toBeGreaterThan(25)
  for (const { operationId, requestBody, responses } of all) {
    const route = routeOf(operationId)
    const bodies = Object.values(onlyOf(requestBody?.content)?.examples ?? {})
    expect(bodies.length > 0, operationId).toBe(route?.body !== undefined)
    for (const { value } of bodies) expect(route?.body?.safeParse(value).error, operationId).toBeUndefined()
    for (const [status, { content: answered }] of Object.entries(responses).filter(([each]) => each < '300')) {
      const example = onlyOf(answered)?.example
      if (route === undefined || isBodyless(route.answer)) expect(answered, operationId).toBeUndefined()
      else
        expect(z.safeParse(route.answer, example), `${operationId} ${status}`).toEqual({ success: true, data: example })
    }
  }
})

it('every route is in a document, but for pages and the documents themselves', async () => {
  const documented = new Set((await operations()).map(({ operationId }) => operationId))
  const others = ROUTES.filter(({ operationId }) => !documented.has(operationId)).map(({ operationId }) => operationId)
  expect(new Set(others)).toEqual(
    new Set(['getDescription', 'getIndex', 'getDocs', 'getWindow', 'getWindowScript', 'getWindowStyle']),
  )
})

it('every page forbids what it does not need, and frames around it', () => {
  const pages = ROUTES.filter(({ contentType = '' }) => contentType.startsWith('text/html'))
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/docs', '/window']))
  for (const { headers = {} } of pages) {
    const { 'content-security-policy': policy = '' } = headers
    expect(policy).toMatch(/^default-src 'none'; .*base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  }
})

it('a body has an example of every shape that it may have', async () => {
  const all = await operations()
  const create = all.find(({ operationId }) => operationId === 'createOrder')
  const values = Object.values(onlyOf(create?.requestBody?.content)?.examples ?? {}).map(({ value }) => value)
  expect(values).toMatchObject([{ type: 'LIMIT' }, { type: 'MARKET' }])
})

it('the clock describes the answer that comes before it has arrived', async () => {
  const all = await operations()
  const { responses } = all.find(({ operationId }) => operationId === 'advanceClock') ?? {}
  expect(Object.keys(responses ?? {}).slice(0, 2)).toEqual(['200', '202'])
  expect(responses?.['202']?.description).toContain('the advance continues')
  expect(onlyOf(responses?.['202']?.content)?.example).toMatchObject({ until: expect.any(Number) })
})

describe('what an example asks is done', () => {
  const WAYS: readonly (readonly [id: string, path: string, method: string])[] = [
    ['addUser', '/emulator/users', 'POST'],
    ['addKey', '/emulator/users/user-2/keys', 'POST'],
    ['creditUser', '/emulator/users/user-1/credits', 'POST'],
    ['advanceClock', '/emulator/clock', 'POST'],
    ['createOrder', '/orders', 'POST'],
    ['setVerified', '/emulator/users/user-1', 'PATCH'],
    ['planFault', '/emulator/faults', 'POST'],
    ['resetUser', '/emulator/users/user-2/reset', 'POST'],
    ['cloneUser', '/emulator/users/user-2/clone', 'POST'],
    ['saveSnapshot', '/emulator/snapshots', 'POST'],
    ['playScenario', '/emulator/scenarios', 'POST'],
    ['startBranch', '/emulator/branches', 'POST'],
    ['pauseMarket', '/emulator/markets/BTC_USD/pause', 'POST'],
  ]

  it('by every one', async () => {
    const emulator = await start(QUIET)
    const buyer = await emulator.addUser({ email: 'a@example.com', credits: { USD: '1000000' } })
    expect(buyer.id).toBe('user-2')
    const all = await operations()
    expect(
      all
        .filter(({ requestBody }) => requestBody !== undefined)
        .map(({ operationId }) => operationId)
        // It needs a state: rewind.stored.test.ts.
        .filter((id) => id !== 'rewind')
        .sort(),
    ).toEqual(WAYS.map(([id]) => id).sort())
    for (const [id, path, method] of WAYS) {
      const { requestBody } = all.find(({ operationId }) => operationId === id) ?? {}
      for (const [name, { value }] of Object.entries(onlyOf(requestBody?.content)?.examples ?? {})) {
        const { status } = await ask(emulator, path, { method, key: keyOf(emulator), body: value as object })
        expect([`${id} ${name}`, status]).toEqual([`${id} ${name}`, routeOf(id)?.status])
      }
    }
  })
})
