/** Books of the strategies of an opened account: facts for their capital, and changes of it. */
import { POSSIBLE, SENT } from '../adapter/live/books/order-locks.ts'
import type { Amounts } from '../adapter/live/books/strategy-book.ts'
import type { OpenedAccount } from '../adapter/live/open-live-account.ts'
import { type Decimal, ZERO } from '../domain/decimal.ts'
import { DurableTransfers } from '../runtime/live/durable-transfers.ts'
import { planCapital, type AccountFacts, type AskedCapital } from '../runtime/live/live-capital.ts'
import type { AccountBooks } from '../runtime/live/trading-account.ts'
import { marksAfter } from '../runtime/session/risk/moved-marks.ts'
import type { LiveState } from '../store/state/live/live-state.ts'
import { saveBook } from '../store/state/live/persisted-books.ts'
import { forgetValues, persistedTransfers, saveTransfers } from '../store/state/live/persisted-rebalancing.ts'
import { persistedRisk, saveRisk, type PersistedMarks } from '../store/state/live/persisted-risk.ts'

const NOTHING: Amounts = new Map()

export function accountBooks(
  { account, state }: Pick<OpenedAccount, 'account' | 'state'>,
  onWarning: (text: string) => void,
): AccountBooks {
  const { books } = account
  const transfers = new DurableTransfers({
    state,
    saved: persistedTransfers(state),
    save: (sums) => {
      saveTransfers(state, sums)
    },
    onMissed: onWarning,
  })
  return {
    owners: books.owners,
    held: (owner) => books.factsOf(owner)?.held ?? NOTHING,
    free: (owner) => books.free(owner, POSSIBLE),
    transfers,
    move: (moment) => {
      const { asset, amounts } = moment
      transfers.execute(moment, () => {
        for (const [owner, book] of books.savedAfter(asset, amounts)) saveBook(state, owner, book)
      })
      books.transfer(asset, amounts)
      transfers.onKnown()
    },
    total: () => ({ expected: books.total(), balances: account.balances() }),
    open: (asked) => {
      const plan = planCapital(asked, factsOf(account, asked))
      state.together(() => {
        for (const owner of plan.created) changeMarks(state, owner, () => undefined)
        for (const [owner, moved] of plan.moved) changeMarks(state, owner, (marks) => marksAfter(marks, moved))
        books.change(plan.books, plan.reserve)
        forgetValues(state, [...plan.created, ...plan.moved.keys()])
      })
      account.openBooks(asked.map(({ owner }) => owner))
      return plan
    },
  }
}

function factsOf(account: OpenedAccount['account'], asked: readonly AskedCapital[]): AccountFacts {
  const { books, holdings, markets } = account
  const owners = [...new Set([...books.owners, ...asked.map(({ owner }) => owner)])]
  const booked = owners.flatMap((owner) => {
    const facts = books.factsOf(owner)
    return facts === undefined ? [] : [[owner, { ...facts, free: books.free(owner) }] as const]
  })
  const assets = [...new Set(markets.map(({ baseAsset }) => baseAsset))]
  const unbooked = holdings.owners.filter((owner) => books.factsOf(owner) === undefined)
  const positionOf = (owner: string): Amounts =>
    new Map(assets.map((asset) => [asset, holdings.holderOf(owner).held(asset)]))
  return {
    markets,
    balances: account.balances(),
    reserve: books.reserve,
    books: new Map(booked),
    locked: sumOf(owners.map((owner) => books.locks.of(owner, SENT))),
    positions: new Map(unbooked.map((owner) => [owner, positionOf(owner)])),
  }
}

function sumOf(all: readonly Amounts[]): Amounts {
  const sums = new Map<string, Decimal>()
  for (const amounts of all) {
    for (const [asset, amount] of amounts) sums.set(asset, (sums.get(asset) ?? ZERO).plus(amount))
  }
  return sums
}

type Marks = PersistedMarks | undefined

/** Capital that comes or goes is no profit or loss. The states that limits set stay. */
function changeMarks(state: LiveState, owner: string, change: (marks: PersistedMarks) => Marks): void {
  const risk = persistedRisk(state, owner)
  if (risk?.marks !== undefined) saveRisk(state, owner, { ...risk, marks: change(risk.marks) })
}
