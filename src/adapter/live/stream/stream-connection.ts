/**
 * A connection to the stream of a service that lives as long as it is wanted: it reconnects by itself, and says so.
 */

/** Data of one stream, such as `trade:BTC_USD`; `data` is the JSON of it, not yet read. */
export interface StreamMessage {
  readonly stream: string
  readonly data: unknown
}

export interface StreamListener {
  /** A connection is there, and every stream that is wanted is asked for. Called again after each reconnect. */
  onOpen(): void
  /** From here on the messages of that stream come, until the connection is lost. */
  onSubscribed(stream: string): void
  /** This connection does not have that stream. */
  onRefused(stream: string, reason: string): void
  onMessage(message: StreamMessage): void
  /** A frame that is of no known form; it is left out. */
  onUnreadable(reason: string): void
  /**
   * The connection is gone, and is tried again. Called once for each `onOpen`, and once when the first attempt fails.
   */
  onLost(reason: string): void
}

export interface StreamConnection {
  /** Begins, and goes on for ever. */
  open(listener: StreamListener): void
  /** Follows a stream from now on, over all reconnects; a no-op for one that is followed. */
  subscribe(stream: string): void
  /** Gives up a connection that lives and brings nothing; another one follows, as after any loss. */
  reconnect?(reason: string): void
  /** Nothing is heard of it any more. */
  close(): void
}
