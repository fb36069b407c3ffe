/**
 * Builds the trace of a run from the lines of its journal.
 *
 * Invariant: a fill belongs to the request that placed its order, even if it was reported before the answer.
 */
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import type { JournalLine, LineOf } from '../../runtime/journal/journal-line.ts'
import { JournalReader } from '../../runtime/journal/journal-reader.ts'
import { cancelText, heldText, placementText, trimmed } from './request-text.ts'
import type { RunTrace, Reported, ReportedBalances, TracedFill, TracedRequest } from './run-trace.ts'

/** Reports about an order id that no request is linked to yet. */
interface EarlyNews {
  readonly fills: TracedFill[]
  cancelled: Reported | undefined
}

type OrderLine = LineOf<'acknowledged'> | LineOf<'adopted'>

export function traceOf(lines: Iterable<JournalLine>): RunTrace {
  const builder = new TraceBuilder()
  for (const line of lines) builder.add(line)
  return builder.trace()
}

/** Lines about the queue of a resting order, which are no part of a trace. */
const OF_QUEUES: ReadonlySet<string> = new Set(['rested', 'met', 'met-own', 'left'])

const TYPE = '"type":"'

/** The same for the texts of the lines of a journal that is as this version of papertape wrote it. */
export function ownTraceOf(where: string, texts: Iterable<string>): RunTrace {
  const [builder, journal] = [new TraceBuilder(), new JournalReader(true)]
  for (const text of texts) {
    const from = text.indexOf(TYPE) + TYPE.length
    const line = OF_QUEUES.has(text.slice(from, text.indexOf('"', from))) ? undefined : journal.read(where, text)
    if (line !== undefined) builder.add(line)
  }
  return builder.trace()
}

class TraceBuilder {
  #position = 0
  #head: LineOf<'run'> | undefined
  #startedAt: number | undefined
  #endedAt = 0
  #isEnded = false
  #fillCount = 0
  #takenOver = 0
  readonly #credits: Record<string, string> = {}
  readonly #refusals: Record<string, number> = {}
  readonly #feesByAsset = new Map<string, Decimal>()
  readonly #requests: TracedRequest[] = []
  readonly #balances: ReportedBalances[] = []
  /** Requests without an answer or resolution; those of the session itself are undefined. */
  readonly #requestsByRef = new Map<number, TracedRequest>()
  readonly #requestsByOrderId = new Map<string, TracedRequest>()
  readonly #earlyByOrderId = new Map<string, EarlyNews>()

  add(line: JournalLine): void {
    this.#position += 1
    this.#startedAt ??= line.t
    this.#endedAt = line.t
    if (!this.#addRequest(line) && !this.#addAnswer(line)) this.#addNews(line)
  }

  trace(): RunTrace {
    return {
      head: this.#head,
      credits: this.#credits,
      requests: this.#requests,
      balances: this.#balances,
      fillCount: this.#fillCount,
      fees: Object.fromEntries([...this.#feesByAsset].map(([asset, fee]) => [asset, fee.toFixed()])),
      refusals: this.#refusals,
      takenOver: this.#takenOver,
      startedAt: this.#startedAt ?? 0,
      endedAt: this.#endedAt,
      isEnded: this.#isEnded,
    }
  }

  #addRequest(line: JournalLine): boolean {
    if (line.type === 'place') {
      const { symbol, side } = line.request
      this.#ask(line, placementText(line.request), { symbol, side })
      return true
    }
    if (line.type !== 'cancel') return false
    const target = this.#requestsByOrderId.get(line.orderId)
    // Cancels by the session itself are not requests of the strategy.
    if (line.by === undefined) this.#ask(line, cancelText(line.orderId, target?.words), undefined)
    return true
  }

  #ask({ t, ref }: LineOf<'place'> | LineOf<'cancel'>, words: string, placed: TracedRequest['placed']): void {
    const reported = { answer: undefined, settlements: [], fills: [], cancelled: undefined }
    const request: TracedRequest = { position: this.#position, t, ref, words, placed, ...reported }
    this.#requests.push(request)
    this.#requestsByRef.set(ref, request)
  }

  #addAnswer(line: JournalLine): boolean {
    if (line.type === 'acknowledged') {
      this.#answer(line.ref, { type: line.type, ...this.#reported(line) })
      this.#know(line)
    } else if (line.type === 'refused') this.#refuse(line)
    else if (line.type === 'unknown' || line.type === 'withdrawn')
      this.#answer(line.ref, { type: line.type, ...this.#reported(line) })
    else if (line.type === 'adopted') {
      this.#settle(line)
      this.#know(line)
    } else if (line.type === 'absent' || line.type === 'ambiguous') this.#settle(line)
    else return false
    return true
  }

  #refuse(line: LineOf<'refused'>): void {
    const { type, ref, code, by } = line
    const name = by === undefined ? code : `${code} by ${by}`
    this.#refusals[name] = (this.#refusals[name] ?? 0) + 1
    this.#answer(ref, { type, code, ...this.#reported(line), ...(by !== undefined && { by }) })
  }

  #answer(ref: number, answer: NonNullable<TracedRequest['answer']>): void {
    const request = this.#requestsByRef.get(ref)
    if (request !== undefined) request.answer = answer
  }

  #settle(line: LineOf<'adopted'> | LineOf<'absent'> | LineOf<'ambiguous'>): void {
    this.#requestsByRef.get(line.ref)?.settlements.push({ type: line.type, ...this.#reported(line) })
  }

  /** Links the order id to its request. */
  #know({ ref, order: { id } }: OrderLine): void {
    const request = this.#requestsByRef.get(ref)
    if (request?.placed === undefined) return
    this.#requestsByOrderId.set(id, request)
    const early = this.#earlyByOrderId.get(id)
    if (early === undefined) return
    request.fills.push(...early.fills)
    request.cancelled ??= early.cancelled
    this.#earlyByOrderId.delete(id)
  }

  #addNews(line: JournalLine): void {
    // All other lines describe the simulated market and are not reported to a strategy.
    if (line.type === 'run') this.#head = line
    else if (line.type === 'credit') this.#credits[line.asset] = trimmed(line.amount)
    else if (line.type === 'balances') this.#addBalances(line)
    else if (line.type === 'fill') this.#addFill(line)
    else if (line.type === 'order') this.#addOrder(line)
    else if (line.type === 'taken-over') this.#takenOver += 1
    else if (line.type === 'end') this.#isEnded = true
  }

  /** Few of them are compared, so the text is made when it is read. */
  #addBalances(line: LineOf<'balances'>): void {
    const { balances } = line
    const held = {
      get held() {
        return heldText(balances)
      },
    }
    this.#balances.push(Object.assign(held, this.#reported(line)))
  }

  #addOrder(line: LineOf<'order'>): void {
    if (line.order.status === 'CANCELLED') this.#newsOf(line.order.id).cancelled ??= this.#reported(line)
  }

  #addFill(line: LineOf<'fill'>): void {
    const { symbol, orderId, price, qty, fee, isMaker } = line.fill
    this.#fillCount += 1
    const news = { ...this.#reported(line), price: trimmed(price), qty: trimmed(qty), isMaker }
    this.#newsOf(orderId).fills.push({ ...news, fee: fee === undefined ? undefined : trimmed(fee) })
    const asset = symbol.slice(symbol.indexOf('_') + 1)
    if (fee !== undefined) this.#feesByAsset.set(asset, (this.#feesByAsset.get(asset) ?? toDecimal(0)).plus(fee))
  }

  #newsOf(orderId: string): EarlyNews {
    const known = this.#requestsByOrderId.get(orderId) ?? this.#earlyByOrderId.get(orderId)
    if (known !== undefined) return known
    const early: EarlyNews = { fills: [], cancelled: undefined }
    this.#earlyByOrderId.set(orderId, early)
    return early
  }

  #reported({ t }: JournalLine): Reported {
    return { position: this.#position, t }
  }
}
