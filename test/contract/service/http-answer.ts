/**
 * Requests as bytes and answers as they came: nothing is tidied up on the way.
 */
import { request as httpRequest, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface HttpQuestion {
  readonly method: string
  readonly url: URL
  /** As it is written into the request line. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Uint8Array | undefined
}

/** Sends one request over a connection of the agent. */
export function ask(agent: Agent, { method, url, path, headers, body }: HttpQuestion): Promise<HttpAnswer> {
  const { promise, resolve, reject } = settlement<HttpAnswer>()
  const { hostname, port } = url
  const request = httpRequest({ agent, host: hostname, port, method, path, headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const { statusCode = 0, headers: answered } = response
      resolve({ status: statusCode, headers: answered, text: Buffer.concat(chunks).toString() })
    })
  })
  request.on('error', reject)
  request.end(body)
  return promise
}

/** Writes bytes to a connection of their own, and reads until the server ends it. */
export function report(url: URL, ...bytes: readonly (string | Uint8Array)[]): Promise<string> {
  const { promise, resolve, reject } = settlement<string>()
  const chunks: Buffer[] = []
  const socket = connect(Number(url.port), url.hostname, () => {
    for (const each of bytes) socket.write(each)
  })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', reject)
  socket.on('close', () => {
    resolve(Buffer.concat(chunks).toString())
  })
  return promise
}

/** The answers in what a connection gave; those that go on in the next one (100) left out. */
export function answersIn(text: string): HttpAnswer[] {
  const answers: HttpAnswer[] = []
  for (let rest = Buffer.from(text); rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no whole head in ${rest.toString()}`)
    const [line = '', ...lines] = rest.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
    )
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.subarray(end + 4, end + 4 + length)
    if (status !== 100) answers.push({ status, headers, text: body.toString() })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}

interface Settlement<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

function settlement<T>(): Settlement<T> {
  let settled: Omit<Settlement<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settled = { resolve, reject }
  })
  if (settled === undefined) throw new Error('a promise calls its executor')
  return { promise, ...settled }
}
