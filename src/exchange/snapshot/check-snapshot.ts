/**
 * Validates a snapshot before use: each part, and whether the parts are consistent. Reservations and credits are
 * audited after it is restored.
 */
import { CROWD } from '../../domain/command.ts'
import { InputError } from '../../domain/errors.ts'
import { ledgerScales } from '../../domain/market.ts'
import { ORDER_TYPES, type Side, SIDES } from '../../domain/order.ts'
import type { Trade } from '../../domain/trade.ts'
import { checkBooks, isNotional } from './check-books.ts'
import { checkStatistics, faultOfTrade } from './check-trades.ts'
import type { AccountSnapshot, ExchangeSnapshot, FillSnapshot, OrderSnapshot } from './exchange-snapshot.ts'
import { SnapshotIds } from './snapshot-ids.ts'
import {
  checkEach,
  checkObject,
  checkUnits,
  type Fault,
  isList,
  isText,
  isUnitsText,
  isWhole,
} from './snapshot-values.ts'

/** @throws {InputError} naming the first part that cannot be */
function checkAccounts({ accounts, history }: ExchangeSnapshot, assets: number, ids: SnapshotIds): void {
  checkEach('accounts', accounts, (account) => faultOfName(account, ids))
  accounts.forEach((account, index) => {
    const place = `accounts.${index}`
    checkMoney(place, account, assets)
    const crowdLength = account.id === CROWD ? 0 : undefined
    checkLength(`${place}.finishedOrders`, account.finishedOrders, crowdLength ?? history.orders)
    checkEach(`${place}.finishedOrders`, account.finishedOrders, (order) => faultOfFinished(order, account, ids))
    checkLength(`${place}.fills`, account.fills, crowdLength ?? history.fills)
    checkEach(`${place}.fills`, account.fills, (fill, _, before) => faultOfFill(fill, before, account, ids))
  })
}

/** @throws {InputError} if the list is longer than the limit; `null` is unlimited */
function checkLength(place: string, list: readonly unknown[], most: number | null): void {
  if (!isList(list)) throw new InputError(`snapshot ${place}`, 'expected a list')
  if (most !== null && list.length > most) {
    throw new InputError(`snapshot ${place}`, `has ${list.length}, and ${most} are kept`)
  }
}

function faultOfName({ id }: AccountSnapshot, ids: SnapshotIds): Fault {
  if (!isText(id)) return 'has no id'
  return ids.addAccount(id) ? undefined : `${id} is there twice`
}

function checkMoney(place: string, account: AccountSnapshot, assets: number): void {
  const { id, available, locked, baselineAt, baseline, unpriced } = account
  checkUnits(`${place}.available`, available, assets)
  checkUnits(`${place}.locked`, locked, assets)
  const owes = locked.some((units) => BigInt(units) < 0n) || available.some((units) => BigInt(units) < 0n)
  if (owes && id !== CROWD) throw new InputError(`snapshot ${place}`, `${id} owes`)
  // The time of a baseline is that of a command, but of the past.
  if ((baselineAt !== null && !isWhole(baselineAt)) || !isUnitsText(baseline)) {
    throw new InputError(`snapshot ${place}.baseline`, 'expected a time and a whole number as text')
  }
  const known = new Set<number>()
  checkEach(`${place}.unpriced`, unpriced, (each) => {
    if (
      !isList(each) ||
      (each as readonly unknown[]).length !== 2 ||
      !isWhole(each[0], 0, assets - 1) ||
      !isUnitsText(each[1])
    )
      return 'is no amount of an asset'
    return known.size < known.add(each[0]).size ? undefined : 'is of an asset that is there already'
  })
  if (baselineAt === null && (baseline !== '0' || unpriced.length > 0)) {
    throw new InputError(`snapshot ${place}.baseline`, 'has an amount and no time')
  }
}

function faultOfFinished(order: OrderSnapshot, { id }: AccountSnapshot, ids: SnapshotIds): Fault {
  return (
    ids.faultOfOrder(order.id, order.createdAt) ??
    (order.userId === id ? undefined : `is an order of '${order.userId}'`) ??
    faultOfTerms(order, ids) ??
    faultOfOutcome(order)
  )
}

function faultOfTerms({ symbol, side, type, price, qty }: OrderSnapshot, ids: SnapshotIds): Fault {
  if (!ids.hasSymbol(symbol)) return `is of a market '${symbol}' that is not there`
  if (!SIDES.includes(side) || !ORDER_TYPES.includes(type)) return `is a ${side} ${type} order`
  const isPriced = type === 'LIMIT' ? isWhole(price, 1) : price === undefined
  return isPriced && isWhole(qty, 1) ? undefined : 'has no such price or no quantity'
}

function faultOfOutcome(order: OrderSnapshot): Fault {
  const { status, side, type, price = 0, qty, filledQty, filledNotional, fee } = order
  if (!isWhole(filledQty, 0, qty)) return `has filled ${String(filledQty)} of ${qty} lots`
  if (status !== (filledQty === qty ? 'FILLED' : 'CANCELLED')) return `is ${status} with ${filledQty} of ${qty} lots`
  if (!isUnitsText(filledNotional) || !isUnitsText(fee)) return 'has amounts that are no whole numbers'
  const filled = BigInt(filledQty)
  const isTraded =
    type === 'LIMIT'
      ? isNotional(BigInt(filledNotional), filled, side, price)
      : isNotional(BigInt(filledNotional), filled, 'SELL', 1)
  if (!isTraded) return `cannot have traded ${filledQty} lots for ${filledNotional}`
  return BigInt(fee) >= 0n && (filledQty > 0 || fee === '0') ? undefined : `has paid ${fee}`
}

function faultOfFill(
  { trade, side, orderId, isMaker, fee }: FillSnapshot,
  before: FillSnapshot | undefined,
  { id }: AccountSnapshot,
  ids: SnapshotIds,
): Fault {
  const fault = faultOfTrade(trade, undefined, ids)
  if (fault !== undefined) return fault
  if (before !== undefined && !isAfter(trade, side, before)) return `trade ${trade.id} is there twice or too late`
  const isBuy = side === 'BUY'
  const [party, order] = isBuy ? [trade.buyerId, trade.buyOrderId] : [trade.sellerId, trade.sellOrderId]
  const isOwn = SIDES.includes(side) && party === id && order === orderId && isMaker === (trade.isBuyerMaker === isBuy)
  if (!isOwn) return `is no ${side} of '${id}' in trade ${trade.id}`
  return isUnitsText(fee) && BigInt(fee) >= 0n ? undefined : `has a fee of ${fee}`
}

/** Order of fills: in a trade with oneself the buy order's row comes last, to be read first. */
const isAfter = ({ id }: Trade, side: Side, before: FillSnapshot): boolean =>
  id > before.trade.id || (id === before.trade.id && side === 'BUY' && before.side === 'SELL')

/**
 * @param snapshot  of markets and limits that can be
 * @throws {InputError} naming the first part that cannot be, and why
 */
export function checkSnapshot(snapshot: ExchangeSnapshot): void {
  const { markets, history, ledger, states } = snapshot
  for (const field of ['time', 'lastOrderId', 'lastTradeId'] as const) {
    if (!isWhole(snapshot[field])) throw new InputError(`snapshot ${field}`, `expected a whole number`)
  }
  const assets = ledgerScales(markets).size
  checkObject('ledger', ledger)
  checkUnits('ledger.credited', ledger.credited, assets)
  checkUnits('ledger.fees', ledger.fees, assets)
  if (ledger.fees.some((units) => BigInt(units) < 0n)) throw new InputError('snapshot ledger.fees', 'are below zero')
  const ids = new SnapshotIds(snapshot)
  checkAccounts(snapshot, assets, ids)
  if (!isList(states) || states.length !== markets.length) {
    throw new InputError('snapshot', 'lacks the state of a market')
  }
  markets.forEach(({ symbol }, index) => {
    const place = `states.${index}`
    const state = states[index]
    checkObject(place, state)
    if (state === undefined) return
    checkBooks(place, symbol, state, ids)
    checkStatistics(`${place}.statistics`, symbol, state.statistics, ids)
    const { trades, candles } = state.statistics
    checkLength(`${place}.statistics.trades`, trades, history.trades)
    candles.series.forEach(({ finished }, interval) => {
      checkLength(`${place}.statistics.candles.series.${interval}`, finished, history.candles)
    })
  })
}
