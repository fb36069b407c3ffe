/**
 * Programs that trade with generated clients of TypeScript, as somebody writes them: each prints what came of it.
 *
 * A line under `@ts-expect-error` must not compile, so a type that is lost on the way to `any` fails as well.
 */

/** Of `service.ts`, the types that openapi-typescript makes. */
export const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { paths } from './service.js'

const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } })
const limit = { symbol: 'BTC_USD', type: 'LIMIT', price: '100.00', qty: '1' } as const
const market = { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '1' } as const

const { data: placed } = await client.POST('/orders', { body: { ...limit, side: 'BUY' } })
const orderId = placed?.id ?? ''
const path = { orderId }
const { data: read } = await client.GET('/orders/{orderId}', { params: { path } })
const { data: balances } = await client.GET('/balances', { params: { query: { asset: 'USD' } } })
console.log(read?.status, balances?.USD?.locked)
const { data: cancelled } = await client.DELETE('/orders/{orderId}', { params: { path } })
console.log(cancelled?.status)
await client.POST('/orders', { body: { ...limit, side: 'SELL' } })
const { data: bought } = await client.POST('/orders', { body: market })
console.log(bought?.status)
const { data: candles } = await client.GET('/markets/{symbol}/candles', {
  params: { path: { symbol: 'BTC_USD' }, query: { interval: '1m', limit: 5 } },
})
console.log(candles?.data.length)
const { data: portfolio } = await client.GET('/portfolio')
console.log(portfolio?.quoteAsset)
const { error } = await client.POST('/orders', { body: market })
console.log(error?.error.code)
// @ts-expect-error -- an order is of one of two types
void (() => client.POST('/orders', { body: { ...market, type: 'STOP' } }))
// @ts-expect-error -- a status is one of four
const wrong: 'DONE' | undefined = placed?.status
void wrong
`

/** Of the folder `hey`, the client that @hey-api/openapi-ts makes. */
export const HEY_API = `
import { client } from './hey/client.gen.js'
import { cancelOrder, createOrder, getBalances, getOrder, getPortfolio, listCandles } from './hey/index.js'

const [, , baseUrl = '', key = ''] = process.argv
client.setConfig({ baseUrl, auth: () => key })
const limit = { symbol: 'BTC_USD', type: 'LIMIT', price: '100.00', qty: '1' } as const
const market = { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '1' } as const

const { data: placed } = await createOrder({ body: { ...limit, side: 'BUY' } })
const path = { orderId: placed?.id ?? '' }
const { data: read } = await getOrder({ path })
const { data: balances } = await getBalances({ query: { asset: 'USD' } })
console.log(read?.status, balances?.USD?.locked)
console.log((await cancelOrder({ path })).data?.status)
await createOrder({ body: { ...limit, side: 'SELL' } })
console.log((await createOrder({ body: market })).data?.status)
console.log((await listCandles({ path: { symbol: 'BTC_USD' }, query: { interval: '1m' } })).data?.data.length)
console.log((await getPortfolio()).data?.quoteAsset)
const { error } = await createOrder({ body: market })
console.log(error?.error.code)
// @ts-expect-error -- an order is of one of two types
void (() => createOrder({ body: { ...market, type: 'STOP' } }))
// @ts-expect-error -- a status is one of four
const wrong: 'DONE' | undefined = placed?.status
void wrong
`
