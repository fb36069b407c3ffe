/** One request to a service and its outcome. No retry, no redirect, no interpretation: those are the client's. */

/** Encodes a value as a path segment: ids are opaque, and an id with a slash must not become another path. */
export const pathPart = (text: string): string =>
  // encodeURIComponent throws for lone surrogates.
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path relative to the base URL, such as `/orders`, with encoded segments. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** True for endpoints that require the key. */
  readonly isKeyed: boolean
}

export type RestAnswer =
  /** A complete answer. */
  | {
      readonly type: 'answer'
      readonly status: number
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>
      /** JSON of the body; undefined if it is empty or not JSON. */
      readonly body: unknown
    }
  /** An incomplete answer. `isUnreadable` if it was rejected: a redirect, more than 1 MiB, an unknown encoding. */
  | { readonly type: 'broken'; readonly status: number; readonly reason: string; readonly isUnreadable?: true }
  /**
   * No answer: a timeout, a refused or lost connection, an unknown host. `isUnsent` if there was no connection to send
   * it over.
   */
  | { readonly type: 'no-answer'; readonly reason: string; readonly isUnsent?: boolean }

export interface RestTransport {
  /** Sends the request once. Never rejects. */
  send(request: RestRequest): Promise<RestAnswer>
  /** Closes its connections; requests in flight end as `no-answer`. */
  close(): Promise<void>
}
