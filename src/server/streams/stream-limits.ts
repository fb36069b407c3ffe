/**
 * Limits of one stream client (decision 24).
 */

export interface StreamLimits {
  /** Bytes of a message. */
  readonly payload: number
  /** Streams of a connection. */
  readonly subscriptions: number
  /** Bytes that wait for a client to read them; one that falls further behind is closed. */
  readonly buffered: number
  readonly pingMs: number
  /** Without a pong for this long a connection is closed. */
  readonly silentMs: number
  /** How long a client may take to close, once it is told to. */
  readonly closingMs: number
}

export const STREAM_LIMITS: StreamLimits = {
  payload: 16 * 1024,
  subscriptions: 100,
  buffered: 1024 * 1024,
  pingMs: 20_000,
  silentMs: 60_000,
  closingMs: 5_000,
}
