/**
 * Order of the rows of a recording: ids in the format of the first one, increasing if they are integers, and times that
 * never decrease.
 */
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { InputError } from '../../domain/errors.ts'
import { IdColumn, type IdForm } from '../../import/csv/id-column.ts'
import { ID_PREFIX, type LastStored, type TradeToRecord } from './recording.ts'

type RowId = Pick<TradeToRecord, 'id' | 'createdAt'>

/** Outcome for a trade: it becomes the next row, or is dropped as already stored or as out of order. */
export type RowVerdict = 'next' | 'stored' | 'late'

export class RecordedOrder {
  readonly #ids = new IdColumn()
  #idPrefix: string
  #last: LastStored | undefined

  /**
   * @param firstId  first id of the recording, which determines the format of all; undefined without rows
   * @param rows     last rows, oldest first, including all of the last millisecond
   */
  constructor(firstId: string | undefined, rows: readonly RowId[]) {
    this.#idPrefix = firstId?.startsWith(ID_PREFIX) === true ? ID_PREFIX : ''
    // The first row may be far before these.
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

  /** @param ids  trade ids of the exchange, oldest first */
  learnIds(ids: readonly string[]): void {
    if (this.#last !== undefined) return
    const column = new IdColumn()
    this.#idPrefix = ids.every((id, index) => column.take(id, index) === undefined) ? '' : ID_PREFIX
  }

  /** The trade as next row: id and time as stored. */
  rowOf(trade: TradeToRecord): TradeToRecord {
    const createdAt = Math.max(trade.createdAt, this.#last?.createdAt ?? 0)
    return { ...trade, id: `${this.#idPrefix}${trade.id}`, createdAt }
  }

  /**
   * Classifies the next trade.
   *
   * @param row  result of `rowOf`
   * @throws {InputError} if the format or order of the ids has changed
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

  /** Called when the row has been stored. */
  stored({ id }: TradeToRecord, { createdAt }: TradeToRecord): void {
    this.#last = { id, createdAt }
  }
}
