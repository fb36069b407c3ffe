/**
 * Entries of a state file as JSON: commands, prints and recorded rows that changed something, users and keys, markets,
 * lives and time.
 */
import type { Command } from '../../domain/command.ts'
import { InvariantError } from '../../domain/errors.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { Exchange, Print, RecordedRow } from '../../exchange/exchange.ts'
import type { UserEntry, UserRegistry } from '../service/user-registry.ts'

export type StateEntry =
  | Command
  | ({ readonly type: 'print' } & Print)
  | ({ readonly type: 'listed' } & Print)
  | ({ readonly type: 'row' } & RecordedRow)
  | UserEntry
  /** A market added to the state. */
  | { readonly type: 'market'; readonly market: MarketConfig }
  /** Time of a virtual clock. */
  | { readonly type: 'time'; readonly time: number }
  /** Start of the `life`th use of the state. */
  | { readonly type: 'life'; readonly life: number }

/** An entry as parsed; JSON has no bigint. */
export type WrittenEntry =
  | Exclude<StateEntry, { type: 'credit' }>
  | (Omit<Extract<StateEntry, { type: 'credit' }>, 'amount'> & { readonly amount: string })

export const writeEntry = (entry: StateEntry): string =>
  JSON.stringify(entry.type === 'credit' ? { ...entry, amount: String(entry.amount) } : entry)

/** JSON array of written entries. */
export const joinEntries = (written: readonly string[]): string => `[${written.join(',')}]`

/** @param text  JSON array of entries */
export function readEntries(text: string): readonly StateEntry[] {
  return (JSON.parse(text) as readonly WrittenEntry[]).map(readEntry)
}

/** @param entry  as parsed */
export const readEntry = (entry: WrittenEntry): StateEntry =>
  entry.type === 'credit' ? { ...entry, amount: BigInt(entry.amount) } : entry

/** Applies an entry again. @returns the events of a command */
export function applyEntry(
  entry: StateEntry,
  exchange: Exchange,
  users: Pick<UserRegistry, 'apply'>,
): readonly ExchangeEvent[] {
  switch (entry.type) {
    case 'place':
    case 'cancel':
    case 'take':
    case 'reduce':
    case 'credit':
      return execute(entry, exchange)
    case 'print':
      exchange.print(entry)
      return []
    case 'listed':
      exchange.list(entry)
      return []
    case 'row':
      exchange.enter(entry)
      return []
    case 'user':
    case 'key':
    case 'key-revoked':
    case 'user-deleted':
      users.apply(entry)
      return []
    // Already included in the exchange: nothing happened there before.
    case 'market':
    case 'time':
    case 'life':
      return []
    default:
      throw new InvariantError('it has an entry of an unknown kind')
  }
}

function execute(command: Command, exchange: Exchange): readonly ExchangeEvent[] {
  const events = exchange.execute(command)
  const [event] = events
  if (event?.type !== 'order-refused' && event?.type !== 'cancel-refused' && event?.type !== 'credit-refused')
    return events
  throw new InvariantError(`a saved command is now refused: ${event.refusal.message}`)
}
