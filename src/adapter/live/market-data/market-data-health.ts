/** Live market data figures for a status screen. */
import type { ConnectionState } from '../../exchange-adapter.ts'
import type { SequenceCounts } from './trade-sequence.ts'

export interface SymbolHealth extends SequenceCounts {
  /**
   * `stream`: trades are emitted as they arrive. `checked`: they wait for a read, after a connect or because the stream
   * was wrong. `polled`: there is no stream.
   */
  readonly source: 'stream' | 'checked' | 'polled'
  /** Trades that arrived after their candle was emitted. */
  readonly lateForCandle: number
}

export interface MarketDataHealth {
  readonly state: ConnectionState
  /** Unix milliseconds; undefined while the stream is not connected. */
  readonly connectedSince: number | undefined
  /** Since the last message of the stream, milliseconds; undefined before the first. */
  readonly lastMessageAgeMs: number | undefined
  readonly reconnects: number
  /** Frames of the stream that could not be read. */
  readonly unreadable: number
  readonly bySymbol: ReadonlyMap<string, SymbolHealth>
}
