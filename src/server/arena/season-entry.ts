/** Entries of the journal of a season: those of a state, and changes of the list of players. */
import type { ExchangeConfig } from '../../exchange/exchange.ts'
import { readEntry, writeEntry, type StateEntry, type WrittenEntry } from '../state/state-entry.ts'
import type { SeasonResult } from './season-result.ts'
import type { SeasonTerms } from './season.ts'

/** First entry of a journal. */
export interface SeasonHead {
  readonly type: 'season'
  /** Version that began it. */
  readonly papertape: string
  readonly season: SeasonTerms
  readonly exchange: ExchangeConfig
}

/** Changes of the list of players; times are Unix milliseconds. */
export type PlayerEntry =
  /** An invitation, by the SHA-256 of its code; with a name, only for that one. */
  | { readonly type: 'invited'; readonly invitation: string; readonly name?: string | undefined }
  /** After the user, its key and its credits. */
  | {
      readonly type: 'joined'
      readonly time: number
      readonly account: string
      readonly name: string
      readonly invitation: string
    }
  /** The name is free again. */
  | { readonly type: 'left'; readonly time: number; readonly account: string }
  /** A strategy that the server runs has ended early: its orders are cancelled, and it places no more. */
  | { readonly type: 'stopped'; readonly time: number; readonly account: string; readonly reason: string }

export type SeasonEntry = SeasonHead | StateEntry | PlayerEntry | SeasonResult

const OF_PLAYERS = new Set<string>(['invited', 'joined', 'left', 'stopped'] satisfies readonly PlayerEntry['type'][])

export const isOfPlayers = (entry: SeasonEntry): entry is PlayerEntry => OF_PLAYERS.has(entry.type)

export const writeSeasonEntry = (entry: SeasonEntry): string =>
  entry.type === 'credit' ? writeEntry(entry) : JSON.stringify(entry)

/** @throws {Error} for a text that is not JSON */
export const readSeasonEntry = (text: string): SeasonEntry => readEntry(JSON.parse(text) as WrittenEntry)
