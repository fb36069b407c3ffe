/**
 * Rules that only an order shows (sections 1 to 4 and 8): the smallest limit order far below the market, placed, seen
 * and cancelled.
 */
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { decimalOf } from '../../domain/decimal.ts'
import type { Market } from '../../domain/market.ts'
import { orderSchema } from '../../wire/schemas.ts'
import type { ProbedAnswer } from '../../adapter/live/probe/service-probe.ts'
import { readError } from '../../wire/read-error.ts'
import { bodyOf, decimalIn, expectError, idOf, type Row, schemaFault, reported } from './answer-reading.ts'
import { bucketsOf } from './access-rules.ts'
import { neverShown, ruleThatNeeds, type Rule } from './rule.ts'
import { Broken, requireRule, NotShown } from './verdict.ts'
import type { WatchedService } from './watched-service.ts'

interface LimitBody {
  readonly symbol: string
  readonly side: 'BUY'
  readonly type: 'LIMIT'
  readonly price: string
  readonly qty: string
}

const rule = ruleThatNeeds('trade')

/** Half of the last price, and one lot. */
const bodyFor = (service: WatchedService): Promise<LimitBody> =>
  service.shared('body', async () => {
    const market = await service.market()
    const path = `/markets/${pathPart(market.symbol)}/ticker`
    const { lastPrice } = bodyOf(await service.open(path), 200) as Row
    const tick = decimalOf(1, market.pricePrecision)
    const half = decimalIn(lastPrice).div(2).toDecimalPlaces(market.pricePrecision, 1)
    const price = half.lt(tick) ? tick : half
    return {
      symbol: market.symbol,
      side: 'BUY',
      type: 'LIMIT',
      price: price.toFixed(market.pricePrecision),
      qty: decimalOf(1, market.qtyPrecision).toFixed(market.qtyPrecision),
    }
  })

const create = (service: WatchedService, body: unknown): Promise<ProbedAnswer> =>
  service.ask({
    method: 'POST',
    path: '/orders',
    key: service.key,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const cancel = (service: WatchedService, id: string): Promise<ProbedAnswer> =>
  service.ask({ method: 'DELETE', path: `/orders/${pathPart(id)}`, key: service.key })

interface Placed {
  readonly body: LimitBody
  readonly answer: ProbedAnswer
  readonly lockedBefore: string
  readonly lockedAfter: string
}

async function locked(service: WatchedService, { quoteAsset }: Market): Promise<string> {
  const balances = bodyOf(await service.readNow('/balances'), 200) as Readonly<Record<string, Row | undefined>>
  return decimalIn(balances[quoteAsset]?.locked ?? '0').toFixed()
}

/** The order that rests, placed once. @throws {NotShown} where the account cannot place it */
const placed = (service: WatchedService): Promise<Placed> =>
  service.shared('placed', async () => {
    const [market, body] = [await service.market(), await bodyFor(service)]
    const lockedBefore = await locked(service, market)
    const answer = await create(service, body)
    if ([401, 403, 422].includes(answer.status))
      throw new NotShown(`an order of ${body.qty} at ${body.price} returned ${reported(answer)}`)
    return { body, answer, lockedBefore, lockedAfter: await locked(service, market) }
  })

async function placedId(service: WatchedService): Promise<string> {
  const id = idOf((await placed(service)).answer.json)
  if (id === undefined) throw new NotShown('the placed order has no id')
  return id
}

async function orderNow(service: WatchedService, id: string): Promise<Row> {
  const answer = await service.readNow(`/orders/${pathPart(id)}`)
  requireRule(answer.status === 200, () => `reading order ${id} returned ${reported(answer)}`)
  const { data } = answer.json as Row
  return (data ?? answer.json) as Row
}

const isListedOpen = async (service: WatchedService, id: string): Promise<boolean> =>
  (bodyOf(await service.readNow('/orders/open'), 200) as readonly Row[]).some((row) => row.id === id)

/** Its cancel, sent once, and what was locked before and behind it. */
const cancelled = (
  service: WatchedService,
): Promise<{ readonly answer: ProbedAnswer; readonly held: string; readonly left: string }> =>
  service.shared('cancelled', async () => {
    const [id, market] = [await placedId(service), await service.market()]
    const held = await locked(service, market)
    const answer = await cancel(service, id)
    return { answer, held, left: await locked(service, market) }
  })

async function checkCreation(service: WatchedService): Promise<void> {
  const { body, answer } = await placed(service)
  const order = bodyOf(answer, 201) as Row
  const fault = schemaFault(orderSchema, order)
  if (fault !== undefined) throw new Broken(fault)
  const isSame =
    order.symbol === body.symbol &&
    order.side === body.side &&
    order.type === body.type &&
    decimalIn(order.price).eq(body.price) &&
    decimalIn(order.qty).eq(body.qty)
  requireRule(isSame, () => `asked for ${JSON.stringify(body)}, got ${JSON.stringify(order).slice(0, 200)}`)
}

/** A body that must be refused, and the field that has to be named. */
async function checkRefused(service: WatchedService, body: unknown, field: string): Promise<void> {
  const answer = await create(service, body)
  if (answer.status === 403) throw new NotShown(`the key is not allowed to: ${reported(answer)}`)
  expectError(answer, 400, 'VALIDATION_ERROR')
  const fields = readError(answer.json)?.details?.map((detail) => detail.field) ?? []
  requireRule(fields.includes(field), () => `details name ${fields.join(', ') || 'nothing'}, expected ${field}`)
}

const refused = (
  id: string,
  section: number,
  title: string,
  field: string,
  change: (body: LimitBody) => object,
): Rule =>
  rule(id, section, `${title}: 400 VALIDATION_ERROR naming ${field}`, async (service) =>
    checkRefused(service, change(await bodyFor(service)), field),
  )

async function checkUnaffordable(service: WatchedService): Promise<void> {
  const [market, body] = [await service.market(), await bodyFor(service)]
  const balances = bodyOf(await service.readNow('/balances'), 200) as Readonly<Record<string, Row | undefined>>
  const available = decimalIn(balances[market.quoteAsset]?.available ?? '0')
  const qty = available.div(body.price).times(2).plus(1).toDecimalPlaces(market.qtyPrecision, 0)
  if (qty.times(`1e${market.qtyPrecision}`).gt(Number.MAX_SAFE_INTEGER))
    throw new NotShown('the account has too much money for this test')
  const answer = await create(service, { ...body, qty: qty.toFixed(market.qtyPrecision) })
  if (answer.status === 403) throw new NotShown(`the key is not allowed to: ${reported(answer)}`)
  expectError(answer, 422, 'INSUFFICIENT_BALANCE')
}

async function checkReleased(service: WatchedService): Promise<void> {
  const { lockedBefore, lockedAfter } = await placed(service)
  const { held, left: left } = await cancelled(service)
  const need = decimalIn(lockedAfter).minus(decimalIn(lockedBefore))
  requireRule(
    decimalIn(held).minus(decimalIn(left)).gte(need),
    () => `locked was ${held} before the cancel and ${left} after it`,
  )
}

/** The first of them places the order that the others look at. */
export const PLACE_RULES: readonly Rule[] = [
  rule('create', 4, 'POST /orders is 201 with the requested order', checkCreation),
  rule('create-open', 3, 'an unmatched order is OPEN and in GET /orders/open', async (service) => {
    const id = await placedId(service)
    const { status } = await orderNow(service, id)
    requireRule(status === 'OPEN', () => `order ${id} is ${String(status)}`)
    requireRule(await isListedOpen(service, id), () => `order ${id} is not in GET /orders/open`)
  }),
  rule('create-locks', 2, 'locked equals the amount that open orders reserve', async (service) => {
    const { body, lockedBefore, lockedAfter } = await placed(service)
    const rise = decimalIn(lockedAfter).minus(decimalIn(lockedBefore))
    const need = decimalIn(body.price).times(body.qty)
    requireRule(rise.gte(need), () => `locked ${lockedBefore}, then ${lockedAfter}, for ${body.qty} at ${body.price}`)
  }),
  rule('no-idempotency', 1, 'repeating a creation creates another order', async (service) => {
    const [first, { body }] = [await placedId(service), await placed(service)]
    const answer = await create(service, body)
    if (answer.status === 422) throw new NotShown(`a second order: ${reported(answer)}`)
    const second = idOf(bodyOf(answer, 201))
    requireRule(second !== first, () => `both are order ${first}`)
  }),
  rule('mutation-counts', 8, 'an order mutation counts against both buckets', async (service) => {
    const { answer } = await placed(service)
    const buckets = bucketsOf(answer).filter(({ remaining }) => remaining !== undefined)
    if (buckets.length < 2) throw new NotShown('the headers do not show two buckets')
    const full = buckets.find(({ remaining, limit }) => remaining === limit)
    requireRule(full === undefined, () => `the bucket ${full?.name ?? 'of one'} did not decrease`)
  }),
]

/** The first of them cancels it. */
export const CANCEL_RULES: readonly Rule[] = [
  rule('cancel', 3, 'DELETE makes an OPEN order CANCELLED, and removes it from GET /orders/open', async (service) => {
    const id = await placedId(service)
    const { answer } = await cancelled(service)
    requireRule(answer.status >= 200 && answer.status < 300, () => `the cancel returned ${reported(answer)}`)
    const { status } = await orderNow(service, id)
    requireRule(status === 'CANCELLED', () => `order ${id} is ${String(status)}`)
    requireRule(!(await isListedOpen(service, id)), () => `order ${id} is still in GET /orders/open`)
  }),
  rule('cancel-releases', 2, 'cancelling releases the reserved amount', checkReleased),
  rule('cancel-again', 4, 'a CANCELLED order cannot be cancelled: 409 ORDER_NOT_CANCELLABLE', async (service) => {
    const { status } = (await cancelled(service)).answer
    if (status >= 300) throw new NotShown('no order could be cancelled')
    expectError(await cancel(service, await placedId(service)), 409, 'ORDER_NOT_CANCELLABLE')
  }),
  rule('cancel-unknown', 4, 'cancelling an unknown order is 404 ORDER_NOT_FOUND', async (service) => {
    const answer = await cancel(service, 'no-such-order-0')
    if (answer.status === 403) throw new NotShown(`the key is not allowed to: ${reported(answer)}`)
    expectError(answer, 404, 'ORDER_NOT_FOUND')
  }),
  rule('malformed', 4, 'a body that is not JSON is 400 MALFORMED_JSON', async (service) => {
    const answer = await create(service, '{')
    if (answer.status === 403) throw new NotShown(`the key is not allowed to: ${reported(answer)}`)
    expectError(answer, 400, 'MALFORMED_JSON')
  }),
  refused('unknown-field', 2, 'an unknown field', 'note', (body) => ({ ...body, note: 'x' })),
  refused('missing-price', 2, 'a limit order without a price', 'price', (body) => ({ ...body, price: undefined })),
  // Zero quantity: a service that ignores the price executes nothing.
  refused('market-price', 2, 'a market order with a price', 'price', (body) => ({ ...body, type: 'MARKET', qty: '0' })),
  refused('price-number', 1, 'a number instead of a decimal string', 'price', (body) => ({
    ...body,
    price: Number(body.price),
  })),
  refused('price-pattern', 1, 'a price that is not a decimal', 'price', (body) => ({ ...body, price: '1e3' })),
  refused('side', 2, 'an unknown side', 'side', (body) => ({ ...body, side: 'HOLD' })),
  refused('price-precision', 1, 'a price with more decimals than the market allows', 'price', (body) => ({
    ...body,
    price: `${body.price}${body.price.includes('.') ? '' : '.'}1`,
  })),
  refused('qty-precision', 1, 'a qty with more decimals than the market allows', 'qty', (body) => ({
    ...body,
    qty: `${body.qty}${body.qty.includes('.') ? '' : '.'}1`,
  })),
  rule('create-unknown-market', 4, 'an order in an unknown market is 404 MARKET_NOT_FOUND', async (service) => {
    const answer = await create(service, { ...(await bodyFor(service)), symbol: 'NOSUCH_MARKET' })
    if (answer.status === 403) throw new NotShown(`the key is not allowed to: ${reported(answer)}`)
    expectError(answer, 404, 'MARKET_NOT_FOUND')
  }),
  rule('insufficient', 4, 'an order over the balance is 422 INSUFFICIENT_BALANCE', checkUnaffordable),
  neverShown(
    'no-liquidity',
    4,
    'a market order without liquidity is 422 NO_LIQUIDITY',
    'the test sends no market orders',
  ),
  neverShown('engine-timeout', 4, 'an engine time-out is 504 ENGINE_TIMEOUT', 'the test causes no failure on purpose'),
]
