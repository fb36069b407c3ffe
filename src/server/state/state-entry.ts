/**
 * Entries of a state file, as JSON: commands, prints and recorded rows that changed something, users and keys, markets,
 * lives and their time.
 */
import type { Command } from '../../domain/command.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Exchange, Print, RecordedRow } from '../../exchange/exchange.ts'
import type { UserEntry, UserRegistry } from '../service/user-registry.ts'

export type StateEntry =
  | Command
  | ({ readonly type: 'print' } & Print)
  | ({ readonly type: 'listed' } & Print)
  | ({ readonly type: 'row' } & RecordedRow)
  | UserEntry
  /** A market that the state has from now on. */
  | { readonly type: 'market'; readonly market: MarketConfig }
  /** Where a clock was moved to. */
  | { readonly type: 'time'; readonly time: number }
  /** The state is used from now on, for the `life`th time. */
  | { readonly type: 'life'; readonly life: number }

/** An entry as it is read back; JSON has no bigint. */
type WrittenEntry =
  | Exclude<StateEntry, { type: 'credit' }>
  | (Omit<Extract<StateEntry, { type: 'credit' }>, 'amount'> & { readonly amount: string })

export const writeEntry = (entry: StateEntry): string =>
  JSON.stringify(entry.type === 'credit' ? { ...entry, amount: String(entry.amount) } : entry)

/** @param text  JSON array of entries */
export function readEntries(text: string): readonly StateEntry[] {
  const entries = JSON.parse(text) as readonly WrittenEntry[]
  return entries.map((entry) => (entry.type === 'credit' ? { ...entry, amount: BigInt(entry.amount) } : entry))
}

/** Lets an entry happen again. */
export function applyEntry(entry: StateEntry, exchange: Exchange, users: UserRegistry): void {
  switch (entry.type) {
    case 'place':
    case 'cancel':
    case 'take':
    case 'reduce':
    case 'credit':
      execute(entry, exchange)
      return
    case 'print':
      exchange.print(entry)
      return
    case 'listed':
      exchange.list(entry)
      return
    case 'row':
      exchange.enter(entry)
      return
    case 'user':
    case 'key':
    case 'key-revoked':
      users.apply(entry)
      return
    // The exchange was made with it: before this nothing happened there.
    case 'market':
    case 'time':
    case 'life':
      return
    default:
      throw new InvariantError('it has an entry of an unknown kind')
  }
}

function execute(command: Command, exchange: Exchange): void {
  const [event] = exchange.execute(command)
  if (event?.type !== 'order-refused' && event?.type !== 'cancel-refused' && event?.type !== 'credit-refused') return
  throw new InvariantError(`a saved command is now refused: ${event.refusal.message}`)
}
