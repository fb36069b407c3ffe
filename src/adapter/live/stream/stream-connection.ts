/**
 * A connection to the stream of a service that lives as long as it is wanted: it reconnects by itself, and says so.
 */

/** Data of one stream, such as `trade:BTC_USD`; `data` is the JSON of it, not yet read. */
export interface StreamMessage {
  readonly stream: string
  readonly data: unknown
}

export interface StreamListener {
  /** A connection is there and every stream is subscribed: from here on its messages come. Called again after each reconnect. */
  onOpen(): void
  onMessage(message: StreamMessage): void
  /** The connection is gone, and is tried again. Called once for each `onOpen`, and once when the first attempt fails. */
  onLost(reason: string): void
}

export interface StreamConnection {
  /** Begins, and goes on for ever. */
  open(listener: StreamListener): void
  close(): void
}
