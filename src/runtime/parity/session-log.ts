/**
 * Log of what a session was told and did, by kind, so that two sessions can be laid beside each other.
 *
 * What happens at one moment has no order over a network but that of cause and effect: within a moment answers stand in
 * the order of their requests, states of orders by order, fills by trade, and of the balances the last ones alone.
 */

/** In the order of cause and effect. */
export const LOG_KINDS = ['market-data', 'request', 'answer', 'fill', 'order', 'state', 'balances'] as const

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
  balances: 'balances',
  end: 'balances',
}

/** Fields of a journal line by which it is put in order. */
interface Parsed {
  readonly t: number
  readonly type: string
  readonly ref?: number
  readonly order?: { readonly id: string }
  readonly fill?: { readonly tradeId: string; readonly isMaker: boolean }
  readonly balances?: unknown
}

/** The lines of a moment are of equal rank where their order means something. */
const RANKS: Readonly<Partial<Record<LogKind, (line: Parsed) => string>>> = {
  answer: ({ ref = 0 }) => padded(ref),
  order: ({ order }) => padded(order?.id ?? ''),
  fill: ({ fill }) => `${padded(fill?.tradeId ?? '')} ${fill?.isMaker === true ? 0 : 1}`,
}

/** Ids are numbers here, and stand as such. */
const padded = (id: string | number): string => String(id).padStart(20, '0')

export class SessionLog {
  readonly #lines = new Map<LogKind, LoggedLine[]>(LOG_KINDS.map((kind) => [kind, []]))
  readonly #moment = new Map<LogKind, (LoggedLine & { readonly rank: string })[]>()
  #time = Number.NEGATIVE_INFINITY
  #balances = ''

  /** A line of the journal. What it says of a resting order, or of the terms of the run, is not kept. */
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

  /** Everything of a kind, in the order of time. */
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

  /** Balances that are as they were are no news. */
  #isNews(text: string): boolean {
    const { type, balances } = JSON.parse(text) as Parsed
    const told = JSON.stringify(balances)
    const isNews = type === 'end' || told !== this.#balances
    this.#balances = told
    return isNews
  }

  #linesOf(kind: LogKind): LoggedLine[] {
    const lines = this.#lines.get(kind) ?? []
    this.#lines.set(kind, lines)
    return lines
  }
}
