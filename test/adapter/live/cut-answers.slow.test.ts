import { afterEach, describe, expect, it } from 'vitest'
import { limit } from '../../contract/adapter/contract-stage.ts'
import { STRIDE } from '../../property/property.ts'
import { ask } from '../../server/rig/emulator-caller.ts'
import { startCuttingProxy, type CutEnd, type CuttingProxy } from './rig/cutting-proxy.ts'
import { openEmulatorStage, type EmulatorStage } from './rig/emulator-stage.ts'

const POST = 'POST /v1/orders'
const LIST = 'GET /v1/orders?'
/** Rows of a page, so that it is short. */
const PAGE_ROWS = 1
/** Until what no one answered is settled, and the next orders of it stand apart from it in the list. */
const SETTLED_MS = 2_500

interface CutStage {
  readonly stage: EmulatorStage
  readonly proxy: CuttingProxy
  /** Outcomes of each placement, in their order, then its settlement. */
  readonly reported: string[][]
  readonly place: (qty: number) => Promise<void>
  close(): Promise<void>
}

const open: CutStage[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function openCutStage(): Promise<CutStage> {
  let proxy: CuttingProxy | undefined
  const stage = await openEmulatorStage({
    reachedBy: async (baseUrl) => {
      proxy = await startCuttingProxy(baseUrl)
      return proxy.baseUrl
    },
  })
  if (proxy === undefined) throw new Error('the adapter was led elsewhere')
  const served = proxy
  await stage.plan({ fault: 'page-cap', route: 'GET /orders', probability: 1, rows: PAGE_ROWS })
  const reported: string[][] = []
  stage.adapter.updates$.subscribe((update) => {
    if (update.type === 'settled') reported[update.reference - 1]?.push(update.settlement.type)
  })
  const cutStage: CutStage = {
    stage,
    proxy: served,
    reported,
    place: async (qty) => {
      const outcomes: string[] = []
      reported.push(outcomes)
      stage.adapter.place(
        { request: limit('BUY', 10, qty), reference: reported.length, tag: `${reported.length}` },
        ({ type }) => outcomes.push(type),
      )
      await stage.pass(0)
    },
    close: async () => {
      await stage.close()
      await served.close()
    },
  }
  open.push(cutStage)
  return cutStage
}

/** Orders of the account and the intents on disk: each has exactly one of the other. */
async function expectSameSets({ stage, proxy, reported }: CutStage): Promise<void> {
  await ask(stage.emulator, '/emulator/faults', { method: 'DELETE' })
  const orders: { readonly id: string; readonly qty: string }[] = []
  for (let page = 1; ; page += 1) {
    const path = `/orders?limit=500&page=${page}`
    const { json } = await ask<typeof orders>(stage.emulator, path, { key: stage.apiKey })
    if (json.length === 0) break
    orders.push(...json)
  }
  const intents = stage.opened.state.intents()
  expect(intents.map(({ state }) => state)).toEqual(intents.map(() => 'PLACED'))
  expect(intents.map(({ orderId, qty }) => `${orderId} ${(qty / 100).toFixed(2)}`).toSorted()).toEqual(
    orders.map(({ id, qty }) => `${id} ${qty}`).toSorted(),
  )
  expect(orders).toHaveLength(reported.length)
  expect(proxy.requests.filter((line) => line === POST)).toHaveLength(reported.length)
  expect(stage.opened.state.blockedMarkets()).toEqual([])
  expect(
    stage.warnings.filter((text) => text.includes('placed by another program') || text.includes('halted')),
  ).toEqual([])
}

/** Each byte is cut at once, by the one end or the other; behind the last one lie some for ids that grow. */
const BEHIND_THE_END = 8
const endAt = (byte: number): CutEnd => (byte % 2 === 0 ? 'reset' : 'close')

describe('one order an intent, and none without an owner, whatever byte', () => {
  it('an answer to POST /orders is cut at', async () => {
    const cutStage = await openCutStage()
    const { stage, proxy, reported, place } = cutStage
    await place(1)
    const length = proxy.mostBytes(POST)
    for (let afterBytes = 0; afterBytes <= length + BEHIND_THE_END; afterBytes += STRIDE) {
      proxy.cutNext({ request: POST, afterBytes, end: endAt(afterBytes) })
      await place(2 + afterBytes)
      expect(proxy.isWaiting).toBe(false)
      await stage.pass(SETTLED_MS)
    }
    await expectSameSets(cutStage)
    expect(new Set(reported.map(String))).toEqual(new Set(['acknowledged', 'unknown,adopted']))
    // Everything but a whole answer is none.
    expect(reported.filter(([first]) => first === 'unknown').length).toBeGreaterThanOrEqual(length / STRIDE)
  })

  it('a page of GET /orders is cut at that would settle an order creation', async () => {
    const cutStage = await openCutStage()
    const { stage, proxy, reported, place } = cutStage
    for (const qty of [1, 2]) await place(qty)
    await stage.pass(SETTLED_MS)
    let length = 0
    for (let afterBytes = 0; afterBytes <= length + BEHIND_THE_END; afterBytes += STRIDE) {
      proxy.cutNext({ request: POST, afterBytes: 0, end: endAt(afterBytes >> 1) })
      proxy.cutNext({ request: LIST, afterBytes, end: endAt(afterBytes) })
      await place(3 + afterBytes)
      expect(proxy.isWaiting).toBe(false)
      await stage.pass(SETTLED_MS)
      length = proxy.mostBytes(LIST)
    }
    await expectSameSets(cutStage)
    expect(reported.slice(2).map(String)).toEqual(reported.slice(2).map(() => 'unknown,adopted'))
    expect(length).toBeGreaterThan(400)
  })
})
