/**
 * Tests of a bot against an exchange in the same process: one emulator for all tests, reset before each.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { SCOPES, startEmulator } from 'papertape/emulator'

/** @type {import('papertape/emulator').Emulator} */
let emulator
before(async () => {
  emulator = await startEmulator({ virtualClock: true, config: { agents: false } })
})
beforeEach(() => emulator.reset())
after(() => emulator.close())

/**
 * @param {string} key
 * @param {string} path
 * @param {object} [order]
 * @returns {Promise<{ status: number, json: any }>}
 */
async function ask(key, path, order) {
  const method = order === undefined ? 'GET' : 'POST'
  const headers = { 'x-api-key': key, ...(order === undefined ? {} : { 'content-type': 'application/json' }) }
  const body = order === undefined ? null : JSON.stringify(order)
  const answer = await fetch(emulator.baseUrl + path, { method, headers, body })
  return { status: answer.status, json: await answer.json() }
}

/**
 * The bot: places one bid. After a time-out it checks its open orders before it bids again.
 *
 * @param {string} key
 * @returns {Promise<{ id: string, status: string }>}
 */
async function bid(key) {
  const order = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '40000.00', qty: '0.5' }
  const { status, json } = await ask(key, '/orders', order)
  if (status !== 504) return json
  const [known] = (await ask(key, '/orders/open')).json
  return known ?? bid(key)
}

const ownKey = () => emulator.users[0]?.keys[0] ?? ''

test('it bids only once when the first request times out', async () => {
  await emulator.fault({ fault: 'engine-timeout-after', route: 'POST /orders', count: 1 })
  assert.equal((await bid(ownKey())).status, 'OPEN')
  assert.deepEqual(await emulator.book('BTC_USD'), { bids: [['40000.00', '0.5']], asks: [] })
})

test('its bid is filled by a seller a minute later', async () => {
  const { id } = await bid(ownKey())
  await emulator.advance(60_000)
  const { keys } = await emulator.addUser({
    email: 'seller@example.com',
    credits: { BTC: '1' },
    keys: [{ scopes: SCOPES }],
  })
  await ask(keys[0] ?? '', '/orders', { symbol: 'BTC_USD', side: 'SELL', type: 'MARKET', qty: '0.5' })
  const { json } = await ask(ownKey(), `/orders/${id}`)
  assert.equal(json.status, 'FILLED')
  assert.equal((await emulator.audit()).ok, true)
})
