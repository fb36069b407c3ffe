/**
 * Reports the updates of one account to its client, at the time at which it could know them.
 *
 * Invariants: updates of one moment are applied to what the client knows before any of them is emitted. An answer
 * precedes the updates that its request caused.
 */
import { EVENT_KIND, type EventQueue } from '../../simulation/event-queue.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { AccountUpdate } from '../exchange-adapter.ts'
import type { KnownAccount } from './account-updates.ts'
import type { ReportAtEnd } from './sent-request.ts'

/** Updates of one of several accounts that changed together. */
interface SharedReport {
  readonly reports: AccountReports
  readonly updates: readonly AccountUpdate[]
}

export class AccountReports {
  readonly updates$ = new HotStream<AccountUpdate>()
  readonly known: KnownAccount
  readonly #queue: EventQueue
  /** Due time of the last answer, Unix milliseconds. */
  #answersUntil = Number.NEGATIVE_INFINITY
  /** Effects of the end of a candle that were not emitted yet. */
  readonly #atEnd: ReportAtEnd[] = []

  constructor(queue: EventQueue, known: KnownAccount) {
    this.#queue = queue
    this.known = known
  }

  /** Updates of that time, or before, come after an answer. */
  awaitAnswer(time: number): void {
    this.#answersUntil = Math.max(this.#answersUntil, time)
  }

  addAtEnd(report: ReportAtEnd): void {
    this.#atEnd.push(report)
  }

  /** Runs before the ending candle is emitted. */
  reportAtEnd(): void {
    if (this.#atEnd.length === 0) return
    const reported = this.#atEnd.splice(0)
    for (const { updates } of reported) for (const update of updates) this.known.onUpdate(update)
    for (const { updates, report } of reported) {
      report?.()
      for (const update of updates) this.updates$.push(update)
    }
  }

  /**
   * Fills by a recorded trade are emitted before a candle or timer of the same time, so that a strategy acting on the
   * candle knows them; and after an answer of that time, which may be the reply for the filled order.
   */
  reportLater(responseMs: number, updates: readonly AccountUpdate[]): void {
    const time = this.#queue.now() + responseMs
    const kind = time <= this.#answersUntil ? EVENT_KIND.message : EVENT_KIND.data
    this.#queue.enter(time, kind, () => {
      for (const update of updates) this.known.onUpdate(update)
      for (const update of updates) this.updates$.push(update)
    })
  }

  /**
   * All accounts know their updates before any emits: the sum of their balances never changes by a transfer.
   * @param onKnown  called between the two
   */
  static reportTogether(all: readonly SharedReport[], responseMs: number, onKnown: () => void): void {
    const [first] = all
    if (first === undefined) return
    const queue = first.reports.#queue
    const time = queue.now() + responseMs
    const isAfterAnswers = all.some(({ reports }) => time <= reports.#answersUntil)
    // Later updates of that time come after these in every account.
    if (isAfterAnswers) for (const { reports } of all) reports.awaitAnswer(time)
    queue.enter(time, isAfterAnswers ? EVENT_KIND.message : EVENT_KIND.data, () => {
      for (const { reports, updates } of all) for (const update of updates) reports.known.onUpdate(update)
      onKnown()
      for (const { reports, updates } of all) for (const update of updates) reports.updates$.push(update)
    })
  }
}
