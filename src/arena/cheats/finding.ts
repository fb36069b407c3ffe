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
  const groups = new Set<{ readonly accounts: Set<string>; readonly items: Item[] }>()
  for (const item of items) {
    const linked = [...groups].filter(({ accounts }) => item.accounts.some((account) => accounts.has(account)))
    const [group = { accounts: new Set<string>(), items: [] }, ...others] = linked
    for (const other of others) {
      for (const each of other.items) group.items.push(each)
      for (const account of other.accounts) group.accounts.add(account)
    }
    group.items.push(item)
    for (const account of item.accounts) group.accounts.add(account)
    for (const each of linked) groups.delete(each)
    groups.add(group)
  }
  return Array.from(groups, (group) => group.items)
}
