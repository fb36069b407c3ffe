/**
 * Calls of the server that gave this page: the service with the key of a user, the emulator's own surface with its
 * token.
 *
 * Keys and token stay in this tab, until it is closed. Invariant: an order is sent once, whatever comes of it.
 */

import { refusalWords } from './refusal-words.ts'

/** Answer of a server in its envelope. */
class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly code: string

  constructor(code: string, message: string) {
    super(refusalWords(code, message))
    this.code = code
  }
}

interface Envelope {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: readonly Detail[] }
}

interface Detail {
  readonly field?: string
  readonly message?: string
}

const SCOPES = ['ACCOUNT_READ', 'ORDER_READ', 'ORDER_CREATE', 'ORDER_CANCEL']
const TOKEN = 'papertape token'

export class Api {
  get token(): string | undefined {
    return sessionStorage.getItem(TOKEN) ?? undefined
  }

  set token(token: string | undefined) {
    if (token === undefined) sessionStorage.removeItem(TOKEN)
    else sessionStorage.setItem(TOKEN, token)
  }

  /** A call of the emulator's own surface. @throws {AnswerError} */
  control(method: string, path: string, body?: unknown): Promise<unknown> {
    const { token } = this
    return ask(method, `/emulator${path}`, body, token === undefined ? {} : { authorization: `Bearer ${token}` })
  }

  /** A call of the service for a user, with a key that is made for this window. @throws {AnswerError} */
  async service(user: string, method: string, path: string, body?: unknown): Promise<unknown> {
    try {
      return await ask(method, `/v1${path}`, body, { 'x-api-key': await this.#keyOf(user) })
    } catch (error) {
      // The server has begun again and knows the key no more; it did nothing.
      if (!(error instanceof AnswerError) || error.code !== 'INVALID_API_KEY') throw error
      sessionStorage.removeItem(keyName(user))
      return ask(method, `/v1${path}`, body, { 'x-api-key': await this.#keyOf(user) })
    }
  }

  async #keyOf(user: string): Promise<string> {
    const known = sessionStorage.getItem(keyName(user))
    if (known !== null) return known
    const made = (await this.control('POST', `/users/${encodeURIComponent(user)}/keys`, { scopes: SCOPES })) as {
      key: string
    }
    sessionStorage.setItem(keyName(user), made.key)
    return made.key
  }
}

const keyName = (user: string): string => `papertape key of ${user}`

async function ask(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = { method, headers: { ...headers, ...type }, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(path, sent).catch(() => {
    throw new AnswerError('NO ANSWER', '')
  })
  const text = await answer.text().catch(() => '')
  const json = parsed(text)
  if (answer.ok) return json
  const { code = String(answer.status), message = '', details = [] } = (json as Envelope).error ?? {}
  const fields = details.map(({ field = '', message: each = '' }) => `${field} ${each}`).join('; ')
  throw new AnswerError(code, fields === '' ? message : fields)
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}
