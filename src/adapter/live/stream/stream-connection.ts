/** A self-reconnecting connection to the stream of a service. */

/** `http(s)://host/v1` gives `ws(s)://host/v1/ws`. @param baseUrl  of the REST interface, a valid http or https URL */
export function streamUrlOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ws`
  url.search = ''
  url.hash = ''
  return url.href
}

/** Data of one stream, such as `trade:BTC_USD`; `data` is JSON that is not decoded yet. */
export interface StreamMessage {
  readonly stream: string
  readonly data: unknown
}

export interface StreamListener {
  /** Connected; every wanted stream was requested. Called again after each reconnect. */
  onOpen(): void
  /** From here on the messages of that stream arrive, until the connection is lost. */
  onSubscribed(stream: string): void
  /** This connection does not offer that stream. */
  onRefused(stream: string, reason: string): void
  onMessage(message: StreamMessage): void
  /** A frame of no known form, which is skipped. */
  onUnreadable(reason: string): void
  /** The connection is lost and is being restored. Called once per `onOpen`, and once if the first attempt fails. */
  onLost(reason: string): void
}

export interface StreamConnection {
  /** Connects, and keeps reconnecting until `close`. */
  open(listener: StreamListener): void
  /** Subscribes to a stream, across reconnects; a no-op if it is subscribed. */
  subscribe(stream: string): void
  /** Drops a connection that is alive but silent; another one follows, as after any loss. */
  reconnect?(reason: string): void
  /** Closes it; the listener is not called again. */
  close(): void
}
