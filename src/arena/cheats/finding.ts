/** A suspicion of cheating, with its proof, and what the checks share to look for it. */
import type { CheatKind, SeasonFill, SeasonOrder, SeasonRecord } from '../season-record.ts'

export interface Finding {
  readonly kind: CheatKind
  /** Accounts in the order of registration; the one that gains is in the sentence. */
  readonly accounts: readonly string[]
  /** Lines of the journal that prove it, ascending. */
  readonly lines: readonly number[]
  /** One sentence with the figures. */
  readonly sentence: string
}

/** Fills between two different players. */
export function fillsOfPlayers({ players, fills }: SeasonRecord): readonly SeasonFill[] {
  const accounts = new Set(players.map(({ account }) => account))
  return fills.filter(
    ({ maker, taker }) => maker.account !== taker.account && accounts.has(maker.account) && accounts.has(taker.account),
  )
}

export const sellerOf = ({ maker, taker, takerSide }: SeasonFill): string =>
  takerSide === 'SELL' ? taker.account : maker.account

export const buyerOf = ({ maker, taker, takerSide }: SeasonFill): string =>
  takerSide === 'BUY' ? taker.account : maker.account

export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Orders of each player, in the order of registration. */
export function ordersOfPlayers({ players, orders }: SeasonRecord): readonly (readonly [string, SeasonOrder[]])[] {
  const byAccount = grouped(orders, ({ account }) => account)
  return players.map(({ account }) => [account, byAccount.get(account) ?? []])
}

export const ascendingLines = (lines: Iterable<number>): readonly number[] => [...new Set(lines)].sort((a, b) => a - b)

/** Accounts in the order of registration. */
export const registered = ({ players }: SeasonRecord, accounts: ReadonlySet<string>): readonly string[] =>
  players.flatMap(({ account }) => (accounts.has(account) ? [account] : []))

/** Groups of items that share an account with another item of their group. */
export function linkedGroups<Item extends { readonly accounts: readonly string[] }>(
  items: readonly Item[],
): readonly (readonly Item[])[] {
  const groups: Item[][] = []
  for (const item of items) {
    const linked = groups.filter((group) =>
      group.some(({ accounts }) => accounts.some((account) => item.accounts.includes(account))),
    )
    for (const group of linked) groups.splice(groups.indexOf(group), 1)
    groups.push([...linked.flat(), item])
  }
  return groups
}
