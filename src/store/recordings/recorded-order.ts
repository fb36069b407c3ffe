/**
 * The law of the rows of a recording: ids of the form of the first one, which increase where they are integers, and
 * times that never decrease.
 */
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { InputError } from '../../domain/errors.ts'
import { IdColumn, type IdForm } from '../../import/csv/id-column.ts'
import { ID_PREFIX, type TradeToRecord } from './recorded-row.ts'
import type { LastStored } from './recording.ts'

type RowId = Pick<TradeToRecord, 'id' | 'createdAt'>

/** What becomes of a trade: the next row, or left out because it is stored or belongs before the last. */
export type RowVerdict = 'next' | 'stored' | 'late'

export class RecordedOrder {
  readonly #ids = new IdColumn()
  #idPrefix: string
  #last: LastStored | undefined

  /**
   * @param firstId  of the recording, whose form is that of all; undefined without rows
   * @param rows     its last rows, oldest first: all of the last millisecond among them
   */
  constructor(firstId: string | undefined, rows: readonly RowId[]) {
    this.#idPrefix = firstId?.startsWith(ID_PREFIX) === true ? ID_PREFIX : ''
    // The first may be long gone.
    if (firstId !== undefined && firstId !== rows[0]?.id) this.#ids.take(firstId, 0)
    for (const { id, createdAt } of rows) this.#ids.take(id, createdAt)
    const last = rows.at(-1)
    if (last !== undefined) this.#last = { id: last.id.slice(this.#idPrefix.length), createdAt: last.createdAt }
  }

  get last(): LastStored | undefined {
    return this.#last
  }

  /** Undefined before the first row. */
  get idForm(): IdForm | undefined {
    return this.#ids.form
  }

  /** @param ids  as the exchange names its trades, oldest first */
  learnIds(ids: readonly string[]): void {
    if (this.#last !== undefined) return
    const column = new IdColumn()
    this.#idPrefix = ids.every((id, index) => column.take(id, index) === undefined) ? '' : ID_PREFIX
  }

  /** The trade as a row behind the last: its id and its time as they are stored. */
  rowOf(trade: TradeToRecord): TradeToRecord {
    const createdAt = Math.max(trade.createdAt, this.#last?.createdAt ?? 0)
    return { ...trade, id: `${this.#idPrefix}${trade.id}`, createdAt }
  }

  /**
   * Judges the next trade.
   *
   * @param row  what `rowOf` has made of it
   * @throws {InputError} when ids are not what they were
   */
  judge(where: string, trade: TradeToRecord, row: TradeToRecord): RowVerdict {
    const fault = this.#ids.take(row.id, row.createdAt)
    if (fault === undefined) return 'next'
    if (fault === 'repeated' || (fault === 'not-increasing' && trade.createdAt <= (this.#last?.createdAt ?? 0))) {
      return trade.id === this.#last?.id ? 'stored' : 'late'
    }
    const [now, before] = [escapedExcerpt(trade.id), escapedExcerpt(this.#last?.id ?? '')]
    const why = `the trade ids do not continue: '${now}' came after '${before}'`
    throw new InputError(where, `${why}; record to another place`)
  }

  /** The row is in the recording. */
  stored({ id }: TradeToRecord, { createdAt }: TradeToRecord): void {
    this.#last = { id, createdAt }
  }
}
