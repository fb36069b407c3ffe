/**
 * Serialises an order group and restores it.
 *
 * Invariant: a restored group behaves as the saved one would have.
 */
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import { InputError } from '../../../domain/errors.ts'
import type { Side } from '../../../domain/order.ts'
import type {
  PersistedExits,
  PersistedGroup,
  PersistedGroupOrder,
  PersistedTerms,
  PersistedWaiting,
} from '../../../store/state/live/persisted-conditional.ts'
import type { LimitIntent, PlaceIntent } from '../../../strategy/place-intent.ts'
import { GroupOrder } from './group-order.ts'
import type { GroupState } from './group-parts.ts'
import type { BracketTerms } from './group-terms.ts'
import { limitAt } from './group-terms.ts'
import type { ConditionalTerms } from '../../conditional-order-terms.ts'
import { ConditionalOrder } from './conditional-order.ts'
import { readPlace, type MarketOf } from './conditional-terms.ts'

/** Immutable part of a group. */
export interface GroupFrame {
  readonly id: string
  readonly symbol: string
  /** Exits of a bracket. */
  readonly exits: Pick<BracketTerms, 'stop' | 'target'> | undefined
  /** Unix milliseconds at which the whole group expires. */
  readonly expires: number | undefined
  /** Unix milliseconds at which the rest of the entry expires. */
  readonly entryExpires: number | undefined
}

export function persistedGroup(
  { id, symbol, exits, expires, entryExpires }: GroupFrame,
  state: GroupState,
): PersistedGroup {
  return {
    kind: 'group',
    id,
    symbol,
    expires,
    entryExpires,
    waiting: state.waiting.map(persistedWaiting),
    orders: state.orders.map(persistedOrder),
    absent: state.absent.map(persistedOrder),
    open: state.open.toFixed(),
    unarmed: state.unarmed.toFixed(),
    pending: state.pending?.id,
    isStopMade: state.isStopMade,
    isStopped: state.isStopped,
    isOver: state.isOver,
    exits: exits === undefined ? undefined : persistedExits(exits),
  }
}

const frameOf = ({ id, symbol, exits, expires, entryExpires }: PersistedGroup): GroupFrame => ({
  id,
  symbol,
  expires,
  entryExpires,
  exits: exits === undefined ? undefined : readExits(symbol, exits),
})

function stateOf(saved: PersistedGroup): GroupState {
  const waiting = saved.waiting.map(readWaitingOrder)
  return {
    waiting,
    orders: saved.orders.map(readOrder),
    absent: saved.absent.map(readOrder),
    open: toDecimal(saved.open),
    unarmed: toDecimal(saved.unarmed),
    pending: waiting.find(({ id }) => id === saved.pending),
    isStopMade: saved.isStopMade,
    isStopped: saved.isStopped,
    isOver: saved.isOver,
  }
}

/** The side of its exits. */
export function exitSideOf({ exits }: GroupFrame, { waiting, orders }: GroupState): Side {
  const planned = exits?.stop?.side ?? exits?.target?.(toDecimal(1)).side
  const fired = orders.find(({ role }) => role === 'exit')?.intent.side
  return planned ?? waiting[0]?.terms.side ?? fired ?? 'SELL'
}

/** Every order that it may place, to check whether its market would accept them. */
function possibleOrders({ exits }: GroupFrame, { waiting, orders, unarmed }: GroupState): readonly PlaceIntent[] {
  const fired = orders.flatMap((order) => order.fired ?? [])
  const all = [...waiting, ...fired].flatMap(({ terms: { symbol, side, qty, limit } }): readonly PlaceIntent[] => {
    if (qty === undefined) return []
    return limit === undefined
      ? [{ type: 'market', symbol, side, qty }]
      : [{ type: 'limit', symbol, side, qty, price: limit }]
  })
  const sized = unarmed.gt(0) ? unarmed : orders[0]?.intent.qty
  const target = sized === undefined ? undefined : exits?.target?.(toDecimal(sized))
  return [...all, ...orders.map(({ intent }) => intent), ...(target === undefined ? [] : [target])]
}

const text = (amount: Decimal | undefined): string | undefined => amount?.toFixed()

const amountOf = (saved: string | undefined): Decimal | undefined =>
  saved === undefined ? undefined : toDecimal(saved)

const persistedTerms = ({ type, symbol, side, qty, price, trail, limit, tag }: ConditionalTerms): PersistedTerms => ({
  type,
  symbol,
  side,
  tag,
  qty: text(qty),
  price: text(price),
  limit: text(limit),
  distance: trail !== undefined && 'distance' in trail ? trail.distance.toFixed() : undefined,
  percent: trail !== undefined && 'percent' in trail ? trail.percent.toFixed() : undefined,
})

const readTerms = ({
  type,
  symbol,
  side,
  qty,
  price,
  distance,
  percent,
  limit,
  tag,
}: PersistedTerms): ConditionalTerms => ({
  type,
  symbol,
  side,
  tag,
  qty: amountOf(qty),
  price: amountOf(price),
  limit: amountOf(limit),
  trail:
    distance !== undefined
      ? { distance: toDecimal(distance) }
      : percent !== undefined
        ? { percent: toDecimal(percent) }
        : undefined,
})

const persistedWaiting = ({ id, terms, price, isDue }: ConditionalOrder): PersistedWaiting => ({
  id,
  isDue,
  terms: persistedTerms(terms),
  price: text(price),
})

function readWaitingOrder({ id, terms, price, isDue }: PersistedWaiting): ConditionalOrder {
  const waiting = new ConditionalOrder(id, readTerms(terms), amountOf(price))
  waiting.isDue = isDue
  return waiting
}

function persistedOrder({
  role,
  by,
  intent,
  fired,
  link,
  id,
  qty,
  filled,
  isUnwanted,
  isTrimmed,
}: GroupOrder): PersistedGroupOrder {
  const { symbol, side, tag } = intent
  return {
    role,
    by,
    symbol,
    side,
    tag,
    link,
    id,
    isUnwanted,
    isTrimmed,
    price: intent.type === 'limit' ? toDecimal(intent.price).toFixed() : undefined,
    qty: qty.toFixed(),
    filled: filled.toFixed(),
    fired: fired === undefined ? undefined : persistedWaiting(fired),
  }
}

function readOrder(saved: PersistedGroupOrder): GroupOrder {
  const { role, by, fired } = saved
  const order = new GroupOrder(role, by, intentOf(saved), fired === undefined ? undefined : readWaitingOrder(fired))
  order.link = saved.link
  order.id = saved.id
  order.filled = toDecimal(saved.filled)
  order.isUnwanted = saved.isUnwanted
  order.isTrimmed = saved.isTrimmed
  order.isFollowed = false
  return order
}

function intentOf({ symbol, side, price, qty, tag }: PersistedGroupOrder): PlaceIntent {
  const tagged = tag === undefined ? {} : { tag }
  return price === undefined
    ? { type: 'market', symbol, side, qty, ...tagged }
    : { type: 'limit', symbol, side, price, qty, ...tagged }
}

function persistedExits({ stop, target }: Pick<BracketTerms, 'stop' | 'target'>): PersistedExits {
  const aimed: LimitIntent | undefined = target?.(toDecimal(1))
  return {
    stop: stop === undefined ? undefined : persistedTerms(stop),
    target:
      aimed === undefined ? undefined : { price: toDecimal(aimed.price).toFixed(), side: aimed.side, tag: aimed.tag },
  }
}

const readExits = (symbol: string, { stop, target }: PersistedExits): Pick<BracketTerms, 'stop' | 'target'> => ({
  stop: stop === undefined ? undefined : readTerms(stop),
  target: target === undefined ? undefined : limitAt({ symbol, side: target.side, tag: target.tag }, target.price),
})

/**
 * Restores a persisted group for its market, which may have changed.
 *
 * @throws {InputError} for a group whose orders its market would no longer accept
 */
export function readPersisted(
  saved: PersistedGroup,
  marketOf: MarketOf,
): { readonly frame: GroupFrame; readonly state: GroupState } {
  const [frame, state] = [frameOf(saved), stateOf(saved)]
  for (const intent of possibleOrders(frame, state)) {
    const placed = readPlace(intent, marketOf)
    if (placed.ok) continue
    const way = 'pass another --state directory, or restore the market'
    throw new InputError(
      frame.id,
      `this conditional order of an earlier session cannot continue: ${placed.refusal.message}; ${way}`,
    )
  }
  return { frame, state }
}
