/** Facts of a snapshot of a world, each with a name, and the differences between two. */
import { formatTrimmed, formatUnits } from '../../domain/fixed-point.ts'
import { ledgerScales, type MarketConfig } from '../../domain/market.ts'
import { isoTime } from '../../domain/time.ts'
import type { RestingSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import type { User, UserEntry } from '../service/user-registry.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

type Fact = readonly [name: string, value: string]

const NO_DIFFERENCE = 'no difference'

/** Ids of the users of a world, without its agents. */
export const userIdsOf = ({ users }: WorldSnapshot): ReadonlySet<string> =>
  new Set(users.flatMap((entry) => (entry.type === 'user' ? [entry.user.id] : [])))

/** Open orders of users, each with its market. */
export function openOrdersOf(world: WorldSnapshot): readonly (readonly [RestingSnapshot, MarketConfig])[] {
  const ids = userIdsOf(world)
  const { markets, states } = world.exchange
  return markets.flatMap((market, index) => {
    const { bids = [], asks = [] } = states[index] ?? {}
    return [...bids, ...asks].filter(({ account }) => ids.has(account)).map((order) => [order, market] as const)
  })
}

/** One line per difference; a line that says so if there is none. */
export function worldDifferences(from: WorldSnapshot, to: WorldSnapshot): readonly string[] {
  const [before, after] = [new Map(factsOf(from)), new Map(factsOf(to))]
  const lines = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was === is) return []
    if (was === undefined) return [`${name}: new, ${is}`]
    return [is === undefined ? `${name}: gone, was ${was}` : `${name}: ${was} -> ${is}`]
  })
  return lines.length === 0 ? [NO_DIFFERENCE] : lines
}

function factsOf(world: WorldSnapshot): readonly Fact[] {
  return [
    ['time', isoTime(world.time)],
    ...marketFacts(world),
    ...world.users.map(userFact),
    ...balanceFacts(world),
    ...openOrdersOf(world).map(([order, market]) => orderFact(order, market)),
    ...world.faults.planned.map(({ id, request: { fault, route }, left }): Fact => [
      id,
      `${fault} at ${route}, ${left ?? 'any number of'} times`,
    ]),
    ['actions of scenarios to come', String(world.scenario.length)],
    ...world.budgets.map(({ key, general, mutations }): Fact => [
      `rate limit of key ${key}`,
      `used by requests ${general.count}, by orders and cancels ${mutations.count}`,
    ]),
  ]
}

function marketFacts({ exchange: { markets, states }, pauses, agents }: WorldSnapshot): readonly Fact[] {
  const reasons = new Map(pauses)
  return markets.flatMap(({ symbol, pricePrecision }, index): readonly Fact[] => {
    const { lastPrice = 0, trades = [] } = states[index]?.statistics ?? {}
    const last = trades.at(-1)
    const population = agents.find((each) => each.symbol === symbol)
    return [
      [`${symbol} last price`, formatUnits(lastPrice, pricePrecision)],
      [`${symbol} last trade`, last === undefined ? 'none' : String(last.id)],
      [`${symbol} orders`, reasons.has(symbol) ? `paused, ${reasons.get(symbol)}` : 'accepted'],
      [
        `${symbol} agents`,
        population === undefined
          ? 'none'
          : `fair value ${(population.fairValue.price / 10 ** pricePrecision).toFixed(pricePrecision)}`,
      ],
    ]
  })
}

function userFact(entry: UserEntry): Fact {
  switch (entry.type) {
    case 'user':
      return [`user ${entry.user.id}`, userWords(entry.user)]
    case 'key':
      return [`key ${entry.key.id}`, `of ${entry.key.userId} with ${entry.key.scopes.join(', ')}`]
    case 'key-revoked':
      return [`key ${entry.id}`, 'revoked']
    case 'user-deleted':
      return [`user ${entry.id}`, 'deleted']
  }
}

const userWords = ({ email, verified, frozen }: User): string =>
  `${email}, ${verified ? 'verified' : 'not verified'}${frozen === true ? ', frozen' : ''}`

function balanceFacts(world: WorldSnapshot): readonly Fact[] {
  const ids = userIdsOf(world)
  const scales = [...ledgerScales(world.exchange.markets)]
  return world.exchange.accounts
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, available, locked }) =>
      scales.map(([asset, scale], index): Fact => {
        const amount = (units = '0'): string => formatTrimmed(BigInt(units), scale)
        return [`${id} ${asset}`, `${amount(available[index])} available, ${amount(locked[index])} in orders`]
      }),
    )
}

function orderFact({ id, account, request, remaining }: RestingSnapshot, market: MarketConfig): Fact {
  const { side, symbol, qty } = request
  const price = request.type === 'LIMIT' ? ` at ${formatUnits(request.price, market.pricePrecision)}` : ''
  const lots = (units: number): string => formatTrimmed(units, market.qtyPrecision)
  return [`order ${id} of ${account}`, `${side} ${lots(qty)} ${symbol}${price}, ${lots(qty - remaining)} filled`]
}
