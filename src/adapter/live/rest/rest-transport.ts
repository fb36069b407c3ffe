/**
 * One request to a service and what it ended with. No retry, no redirect, no meaning: those are the client's.
 */

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the base URL, such as `/orders`; parts that are values are encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** True for the endpoints that ask for the key. */
  readonly isKeyed: boolean
}

export type RestAnswer =
  /** An answer came whole. */
  | {
      readonly type: 'answer'
      readonly status: number
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>
      /** The JSON of the body; undefined when it is empty or no JSON. */
      readonly body: unknown
    }
  /**
   * An answer began and did not come whole. `isUnreadable` when it would have: a redirect, more than 1 MiB, an unknown
   * encoding.
   */
  | { readonly type: 'broken'; readonly status: number; readonly reason: string; readonly isUnreadable?: true }
  /**
   * None came: a time-out, a connection that was refused or cut, a name that is not known. `isUnsent` when there was no
   * connection that the request could have left by.
   */
  | { readonly type: 'no-answer'; readonly reason: string; readonly isUnsent?: boolean }

export interface RestTransport {
  /** Sends it once. Never rejects. */
  send(request: RestRequest): Promise<RestAnswer>
  /** Ends its connections; what is under way ends as `no-answer`. */
  close(): Promise<void>
}
