/**
 * Reads the lines of a journal in order, and completes each with the data that it omits because earlier lines have it.
 *
 * Invariant: a journal of the first version, which omitted nothing, reads as before.
 */
import { InputError, type Place } from '../../domain/errors.ts'
import { parsedLine, readWholeLine, type AnyLine, type JournalLine } from './journal-line.ts'
import { ReadOrders } from './read-orders.ts'
import { defaultsOf, isWrittenType, JOURNAL_VERSION, WRITTEN } from './written-line.ts'

export class JournalReader {
  readonly #orders = new ReadOrders()
  readonly #heldByAsset: Record<string, { readonly available: string; readonly locked: string }> = {}

  /**
   * Undefined for a line that is not about an order or the account.
   * @param where  names the line to the user
   * @throws {InputError} for an invalid line, and for one that refers to something that no earlier line has
   */
  read(where: Place, text: string): JournalLine | undefined {
    const line = parsedLine(where, text)
    if (isWrittenType(line.type) && !('order' in line) && !('fill' in line)) return this.#read(where, line.type, line)
    const whole = readWholeLine(where, { ...defaultsOf(line), ...line })
    return whole === undefined ? undefined : this.#follow(where, whole)
  }

  #read(where: Place, type: keyof typeof WRITTEN, line: AnyLine): JournalLine {
    const result = WRITTEN[type].safeParse(line)
    if (!result.success) {
      const [issue] = result.error.issues
      throw new InputError(
        where,
        `a '${type}' line with ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'a fault'}`,
      )
    }
    const { data } = result
    switch (data.type) {
      case 'acknowledged':
        return this.#orders.acknowledged(where, data)
      case 'order':
        return this.#orders.order(where, data)
      case 'fill':
        return this.#orders.fill(where, data)
    }
  }

  #follow(where: Place, line: JournalLine): JournalLine {
    if (line.type === 'run') checkVersion(where, line.journal)
    if (line.type !== 'balances') {
      this.#orders.follow(line)
      return line
    }
    Object.assign(this.#heldByAsset, line.balances)
    return { ...line, balances: { ...this.#heldByAsset } }
  }
}

function checkVersion(where: Place, version = 1): void {
  if (version <= JOURNAL_VERSION) return
  throw new InputError(
    where,
    `a journal of version ${version}, of a later papertape; expected ${JOURNAL_VERSION} at most`,
  )
}
