/**
 * Log of a session's inputs and actions, by kind, so that two sessions can be compared.
 *
 * Over a network the only order within one moment is that of cause and effect: so within a moment answers are sorted by
 * request, order states by order, fills by trade, and only the last balances count.
 */

/** Order of cause and effect. */
export const LOG_KINDS = ['market-data', 'request', 'answer', 'fill', 'order', 'state', 'transfer', 'balances'] as const

export type LogKind = (typeof LOG_KINDS)[number]

/** A line of JSON, and its time in Unix milliseconds. */
export interface LoggedLine {
  readonly t: number
  readonly text: string
}

const KINDS_BY_TYPE: Readonly<Record<string, LogKind>> = {
  place: 'request',
  cancel: 'request',
  acknowledged: 'answer',
  refused: 'answer',
  unknown: 'answer',
  adopted: 'answer',
  absent: 'answer',
  ambiguous: 'answer',
  fill: 'fill',
  order: 'order',
  'taken-over': 'order',
  state: 'state',
  transfer: 'transfer',
  balances: 'balances',
  end: 'balances',
}

/** Fields of a journal line that determine its order. */
interface Parsed {
  readonly t: number
  readonly type: string
  readonly ref?: number
  readonly order?: { readonly id: string }
  readonly fill?: { readonly tradeId: string; readonly isMaker: boolean }
  readonly balances?: unknown
}

/** Sort keys within a moment; kinds without one have no meaningful order. */
const RANKS: Readonly<Partial<Record<LogKind, (line: Parsed) => string>>> = {
  answer: ({ ref = 0 }) => padded(ref),
  order: ({ order }) => padded(order?.id ?? ''),
  fill: ({ fill }) => `${padded(fill?.tradeId ?? '')} ${fill?.isMaker === true ? 0 : 1}`,
}

/** Ids are numbers here, and are sorted as such. */
const padded = (id: string | number): string => String(id).padStart(20, '0')

export class SessionLog {
  readonly #lines = new Map<LogKind, LoggedLine[]>(LOG_KINDS.map((kind) => [kind, []]))
  readonly #moment = new Map<LogKind, (LoggedLine & { readonly rank: string })[]>()
  #time = Number.NEGATIVE_INFINITY
  #balances = ''

  /** A journal line. Lines about resting orders and the terms of the run are skipped. */
  onLine(text: string): void {
    const line = JSON.parse(text) as Parsed
    const kind = KINDS_BY_TYPE[line.type]
    if (kind === undefined) return
    if (line.t !== this.#time) this.#closeMoment()
    this.#time = line.t
    const rank = RANKS[kind]?.(line) ?? ''
    const lines = this.#moment.get(kind) ?? []
    this.#moment.set(kind, lines)
    if (kind === 'balances' && line.type !== 'end') lines.length = 0
    lines.push({ t: line.t, text, rank })
  }

  readonly onMarketData = (text: string): void => {
    this.#linesOf('market-data').push({ t: (JSON.parse(text) as Parsed).t, text })
  }

  /** All lines of a kind, in order of time. */
  lines(kind: LogKind): readonly LoggedLine[] {
    this.#closeMoment()
    return this.#linesOf(kind)
  }

  #closeMoment(): void {
    for (const [kind, lines] of this.#moment) {
      const sorted = lines.toSorted((one, other) => (one.rank < other.rank ? -1 : Number(one.rank > other.rank)))
      for (const { t, text } of sorted)
        if (kind !== 'balances' || this.#isNews(text)) this.#linesOf(kind).push({ t, text })
    }
    this.#moment.clear()
  }

  /** Unchanged balances are skipped. */
  #isNews(text: string): boolean {
    const { type, balances } = JSON.parse(text) as Parsed
    const reported = JSON.stringify(balances)
    const isNews = type === 'end' || reported !== this.#balances
    this.#balances = reported
    return isNews
  }

  #linesOf(kind: LogKind): LoggedLine[] {
    const lines = this.#lines.get(kind) ?? []
    this.#lines.set(kind, lines)
    return lines
  }
}
