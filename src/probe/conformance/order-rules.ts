/** Rules of orders that are there already (sections 2, 3 and 4): reads alone. */
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { ORDER_STATUSES } from '../../domain/order.ts'
import { orderSchema } from '../../wire/schemas.ts'
import {
  bodyOf,
  checkFalling,
  checkRows,
  decimalIn,
  expectError,
  idOf,
  type Row,
  rowsOf,
  shownJson,
  reported,
} from './answer-reading.ts'
import { neverShown, ruleThatNeeds, type Rule } from './rule.ts'
import { Broken, requireRule, NotShown } from './verdict.ts'
import type { WatchedService } from './watched-service.ts'

const OPEN_STATUSES = ['OPEN', 'PARTIALLY_FILLED']
const UNKNOWN_ORDER = 'no-such-order-0'

const orders = async (service: WatchedService, query = '?limit=500'): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.read(`/orders${query}`), 200))
const openOrders = async (service: WatchedService): Promise<readonly Row[]> =>
  rowsOf(bodyOf(await service.readNow('/orders/open'), 200))

const rule = ruleThatNeeds('key')

/** @throws {Broken} where status and quantities of an order say different things */
function checkState({ id, status, qty, filledQty }: Row): void {
  const [whole, filled] = [decimalIn(qty), decimalIn(filledQty)]
  const isConsistent =
    filled.lte(whole) &&
    (status !== 'OPEN' || filled.isZero()) &&
    (status !== 'FILLED' || filled.eq(whole)) &&
    (status !== 'PARTIALLY_FILLED' || (filled.gt(0) && filled.lt(whole)))
  requireRule(
    isConsistent,
    () => `order ${String(id)} is ${String(status)} with ${String(filledQty)} of ${String(qty)}`,
  )
}

function checkPresence({ id, type, price, filledQty, averagePrice }: Row): void {
  requireRule(
    (price !== undefined) === (type === 'LIMIT'),
    () => `order ${String(id)}: ${String(type)}, price ${String(price)}`,
  )
  const hasFill = decimalIn(filledQty).gt(0)
  requireRule(
    hasFill === (averagePrice !== undefined),
    () => `order ${String(id)}: filledQty ${String(filledQty)}, averagePrice ${String(averagePrice)}`,
  )
}

async function checkEach(service: WatchedService, check: (order: Row) => void): Promise<void> {
  const rows = await orders(service)
  for (const row of rows) check(row)
  if (rows.length === 0) throw new NotShown('the account has no orders')
}

/** Every order that was open before and is not among the open ones must be over by now. */
async function checkOpenIsWhole(service: WatchedService): Promise<void> {
  const before = rowsOf(bodyOf(await service.readNow('/orders?status=OPEN&limit=20'), 200))
  const listed = new Set((await openOrders(service)).map(({ id }) => id))
  for (const { id } of before) {
    if (listed.has(id)) continue
    const { json } = await service.readNow(`/orders/${pathPart(String(id))}`)
    const { status } = ((json as Row | null)?.data ?? json ?? {}) as Row
    if (status === 'OPEN') throw new Broken(`order ${String(id)} is OPEN but not in GET /orders/open`)
  }
  if (before.length === 0) throw new NotShown('the account has no open order')
}

async function checkPages(service: WatchedService): Promise<void> {
  const ids = async (query: string): Promise<readonly unknown[]> =>
    rowsOf(bodyOf(await service.readNow(`/orders?${query}`), 200)).map(({ id }) => id)
  const both = await ids('limit=2')
  if (both.length < 2) throw new NotShown('the account has fewer than two orders')
  const pages = [...(await ids('limit=1&page=1')), ...(await ids('limit=1&page=2'))]
  const again = await ids('limit=2')
  if (both.join() !== again.join()) throw new NotShown('the order history changed during the test')
  requireRule(
    pages.join() === both.join(),
    () => `limit=2 gives ${both.join(', ')}; page 1 and 2 of limit=1 give ${pages.join(', ')}`,
  )
}

async function checkOne(service: WatchedService): Promise<void> {
  const [row] = await orders(service)
  if (row === undefined) throw new NotShown('the account has no orders')
  const answer = await service.readNow(`/orders/${pathPart(String(row.id))}`)
  requireRule(
    answer.status === 200,
    () => `order ${String(row.id)} is listed, but reading it returned ${reported(answer)}`,
  )
  const id = idOf(answer.json)
  if (id === undefined) throw new NotShown('the specification does not show its body, and it has no id')
  requireRule(id === row.id, () => `asked for ${String(row.id)}, got ${id}`)
}

export const ORDER_RULES: readonly Rule[] = [
  rule('order-fields', 2, 'an order has its fields', async (service) =>
    checkRows([...(await orders(service)), ...(await openOrders(service))], orderSchema, 'order'),
  ),
  rule('order-presence', 2, 'only limit orders have price; averagePrice appears after a fill', (service) =>
    checkEach(service, checkPresence),
  ),
  rule('order-states', 3, 'status and quantities agree', (service) => checkEach(service, checkState)),
  rule('orders-newest-first', 4, 'GET /orders is newest first', async (service) =>
    checkFalling(
      (await orders(service)).map(({ createdAt }) => parseIsoTime(String(createdAt))?.time ?? Number.NaN),
      'order',
    ),
  ),
  rule('orders-limit', 4, 'GET /orders: at most limit are returned', async (service) => {
    if ((await orders(service)).length < 2) throw new NotShown('the account has fewer than two orders')
    const { length } = await orders(service, '?limit=1')
    requireRule(length === 1, () => `${length} orders with limit=1`)
  }),
  rule('orders-pages', 1, 'pages are one-based and follow each other', checkPages),
  rule(
    'orders-range',
    8,
    'limit and page of GET /orders are integers of at least 1, else 400 VALIDATION_ERROR',
    async (service) => {
      for (const query of ['limit=0', 'limit=x', 'limit=1.5', 'page=0', 'page=-1', 'page=x']) {
        expectError(await service.read(`/orders?${query}`), 400, 'VALIDATION_ERROR')
      }
    },
  ),
  rule('orders-status', 4, 'GET /orders: status filters by status', async (service) => {
    let count = 0
    for (const status of ORDER_STATUSES) {
      const rows = await orders(service, `?limit=500&status=${status}`)
      count += rows.length
      const other = rows.find((row) => row.status !== status)
      requireRule(other === undefined, () => `asked for ${status}, got ${String(other?.status)}`)
    }
    if (count === 0) throw new NotShown('the account has no orders')
  }),
  rule('orders-status-range', 4, 'GET /orders: an unknown status is 400 VALIDATION_ERROR', async (service) => {
    expectError(await service.read('/orders?status=NONE'), 400, 'VALIDATION_ERROR')
  }),
  rule('orders-symbol', 4, 'GET /orders: symbol filters by market', async (service) => {
    const [row] = await orders(service)
    if (row === undefined) throw new NotShown('the account has no orders')
    const rows = await orders(service, `?limit=500&symbol=${pathPart(String(row.symbol))}`)
    const other = rows.find(({ symbol }) => symbol !== row.symbol)
    requireRule(
      other === undefined && rows.length > 0,
      () => `asked for ${String(row.symbol)}, got ${shownJson(other?.symbol)}`,
    )
  }),
  rule('open-orders', 4, 'GET /orders/open has OPEN and PARTIALLY_FILLED orders only', async (service) => {
    const rows = await openOrders(service)
    const other = rows.find(({ status }) => !OPEN_STATUSES.includes(String(status)))
    requireRule(other === undefined, () => `order ${String(other?.id)} is ${String(other?.status)}`)
    if (rows.length === 0) throw new NotShown('the account has no open order')
  }),
  rule('open-orders-all', 4, 'GET /orders/open has every open order', checkOpenIsWhole),
  rule('order', 4, 'GET /orders/{orderId} is 200 for an order that is listed', checkOne),
  rule('order-unknown', 7, 'an unknown order is 404 ORDER_NOT_FOUND', async (service) => {
    expectError(await service.read(`/orders/${UNKNOWN_ORDER}`), 404, 'ORDER_NOT_FOUND')
  }),
  neverShown(
    'fills',
    3,
    'a match moves an order to PARTIALLY_FILLED and FILLED',
    'the test would need a second trader',
  ),
]
