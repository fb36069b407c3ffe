/**
 * One client of a fuzzed server: sends whatever its chance gives, one thing after the other, and judges every answer.
 */
import { STREAM_LIMITS } from '../../../src/server/streams/stream-client.ts'
import { Chance } from '../../exchange/rig/chance.ts'
import { wrongIn, type AskedFor } from './fuzz-judge.ts'
import { bytesOf, RequestSource, type FuzzedRequest, type Known } from './fuzz-requests.ts'
import { connectTo, type RawAnswer, type RawConnection } from './raw-connection.ts'
import { listenTo, type StreamListener } from './stream-listener.ts'

const HEAD = { method: 'HEAD', target: '' } as const
const TOO_BIG = 1009
/** As long as a busy machine may need. */
const PATIENCE_MS = 60_000

/** What the workers of a run share. */
export interface FuzzRun {
  readonly port: number
  readonly streamUrl: string
  known: Known
  /** How often a planned fault may still show. */
  excuses: number
  /** Requests and messages that were sent. */
  sent: number
  readonly answersByStatus: Map<number, number>
  readonly failures: string[]
}

export class FuzzWorker {
  readonly #run: FuzzRun
  readonly #chance: Chance
  readonly #source: RequestSource
  #connection: RawConnection | undefined
  #stream: StreamListener | undefined

  constructor(run: FuzzRun, seed: number) {
    this.#run = run
    this.#chance = new Chance(seed)
    this.#source = new RequestSource(this.#chance)
  }

  /** @param requests  how many of the run are sent before it ends */
  async work(requests: number): Promise<void> {
    while (this.#run.sent < requests && this.#run.failures.length === 0) await this.#step()
    this.#connection?.destroy()
    this.#stream?.socket.terminate()
    this.#stream = undefined
  }

  async #step(): Promise<void> {
    const choice = this.#chance.below(100)
    const { known } = this.#run
    if (known.hasFaults && this.#chance.oneIn(30)) await this.#ask([this.#source.fault()])
    else if (choice < 50) await this.#ask([this.#source.request(known)])
    else if (choice < 65) await this.#ask([this.#source.order(known)])
    else if (choice < 72)
      await this.#ask(this.#chance.list(this.#chance.between(2, 5), () => this.#source.order(known)))
    else if (choice < 85) await this.#sendRaw()
    else if (choice < 97) await this.#speak()
    else await this.#breakStream()
  }

  /** Requests in one go, and as many answers. */
  async #ask(requests: readonly FuzzedRequest[]): Promise<void> {
    this.#run.sent += requests.length
    const bytes = Buffer.concat(requests.map(bytesOf))
    const connection = await this.#connected()
    const from = connection.take()
    connection.write(bytes)
    const answers = await connection.answers(
      requests.map(({ method }) => method),
      PATIENCE_MS,
    )
    for (const [index, request] of requests.entries()) {
      const answer = answers[index]
      if (answer === undefined) {
        // Anyone who has said `Connection: close`, or a body that is not read, has closed it for those behind.
        const isClosed = index > 0 && answers[index - 1]?.headers.get('connection') === 'close'
        if (!isClosed) this.#excuse(`no answer, but ${JSON.stringify(from + connection.received.slice(0, 300))}`, bytes)
        break
      }
      this.#judge(answer, request, bytes)
      this.#learn(answer, request)
    }
    const isKept = answers.length === requests.length && answers.at(-1)?.headers.get('connection') !== 'close'
    if (isKept && connection.socket.writable) return
    connection.destroy()
    this.#connection = undefined
  }

  /** Bytes that end with the connection; whatever comes back must be answers. */
  async #sendRaw(): Promise<void> {
    this.#run.sent += 1
    const bytes = this.#source.rawBytes(this.#run.known)
    const connection = await connectTo(this.#run.port)
    connection.write(bytes)
    connection.socket.end()
    const isOver = await within(connection.ended)
    if (!isOver) this.#fail('the connection was not closed', bytes)
    // Of a request in the middle of other bytes only this can be reported: its answer has no body.
    const head = bytes.toString('latin1').startsWith('HEAD ') ? HEAD : undefined
    for (const answer of connection.parsed(head === undefined ? [] : [head.method])) this.#judge(answer, head, bytes)
    connection.destroy()
  }

  /** A message on a stream, and its one answer. */
  async #speak(): Promise<void> {
    this.#run.sent += 1
    const stream = (this.#stream ??= await this.#listen())
    if (stream === undefined) return
    const message = this.#source.streamMessage()
    const answered = stream.ask(message)
    const answer = await Promise.race([answered, stream.closed.then(([code]) => ({ op: undefined, code }))])
    answered.catch(() => undefined)
    if (/^(?:(?:un)?subscribed|error)$/.test(answer.op ?? '')) return
    stream.socket.terminate()
    this.#stream = undefined
    const isTooBig = Buffer.byteLength(message) > STREAM_LIMITS.payload
    if (isTooBig && 'code' in answer && answer.code === TOO_BIG) return
    this.#excuse(`a stream answered ${JSON.stringify(answer)}`, Buffer.from(message))
  }

  /** Frames that may break the connection; no one else is harmed. */
  async #breakStream(): Promise<void> {
    this.#run.sent += 1
    const stream = await this.#listen()
    if (stream === undefined) return
    const connection = (stream.socket as unknown as { readonly _socket: { write(bytes: Buffer): void; end(): void } })
      ._socket
    const bytes = this.#source.streamBytes()
    connection.write(bytes)
    connection.end()
    if (!(await within(stream.closed))) this.#fail('the stream was not closed', bytes)
    stream.socket.terminate()
  }

  /** Undefined when a planned fault refused it. */
  async #listen(): Promise<StreamListener | undefined> {
    try {
      return await listenTo(this.#run.streamUrl)
    } catch (error) {
      this.#excuse(`no stream: ${String(error)}`, Buffer.of())
      return undefined
    }
  }

  async #connected(): Promise<RawConnection> {
    const { port } = this.#run
    this.#connection = this.#connection?.socket.writable === true ? this.#connection : await connectTo(port)
    return this.#connection
  }

  #judge(answer: RawAnswer, request: AskedFor | undefined, bytes: Buffer): void {
    const { answersByStatus } = this.#run
    answersByStatus.set(answer.status, (answersByStatus.get(answer.status) ?? 0) + 1)
    const wrong = wrongIn(answer, request)
    if (wrong !== undefined) this.#fail(`${answer.status}: ${wrong}`, bytes)
    else if (answer.status >= 500) this.#excuse(`${answer.status} ${answer.body}`, bytes)
  }

  /** A fault that was planned may show as often as it was planned. */
  #learn({ status }: RawAnswer, { method, target, body }: FuzzedRequest): void {
    if (status !== 201 || method !== 'POST' || !target.startsWith('/emulator/faults')) return
    this.#run.excuses += (JSON.parse((body ?? '').toString()) as { count: number }).count * MAX_WHO_SEE_IT
  }

  #excuse(what: string, bytes: Buffer): void {
    this.#run.excuses -= 1
    if (this.#run.excuses < 0) this.#fail(what, bytes)
  }

  #fail(what: string, bytes: Buffer): void {
    this.#run.failures.push(`${what}\nafter ${JSON.stringify(bytes.toString('latin1').slice(0, 3_000))}`)
  }
}

/** A stream that is dropped is every client's; a reset takes the requests behind it with it. */
const MAX_WHO_SEE_IT = 16

/** False when it takes too long. */
async function within(done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false)
    }, PATIENCE_MS)
  })
  const isDone = await Promise.race([done.then(() => true), tooLong])
  clearTimeout(timer)
  return isDone
}
