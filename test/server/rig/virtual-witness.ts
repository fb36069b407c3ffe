/**
 * Remembers what an emulator under a virtual clock has reported, and holds what it reports in its next lives against
 * that: no time before one that was reported, no id twice, no key again that was revoked.
 */
interface KnownKey {
  readonly text: string
  /** Unknown from when it is asked for until that is answered, and after a kill in between. */
  state: 'valid' | 'unknown' | 'revoked'
}

export class VirtualWitness {
  readonly faults: string[] = []
  readonly #keysById = new Map<string, KnownKey>()
  readonly #texts = new Set<string>()
  readonly #requestIds = new Set<string>()
  readonly #orderIds = new Set<number>()
  #time = 0
  #revoked = 0

  get counts(): {
    readonly keys: number
    readonly revoked: number
    readonly requests: number
    readonly orders: number
  } {
    return {
      keys: this.#keysById.size,
      revoked: this.#revoked,
      requests: this.#requestIds.size,
      orders: this.#orderIds.size,
    }
  }

  /** The latest time that was reported. */
  get time(): number {
    return this.#time
  }

  answered(requestId: string | null): void {
    if (requestId === null) this.faults.push('an answer has no request id')
    else if (this.#requestIds.has(requestId)) this.faults.push(`request id ${requestId} is given a second time`)
    else this.#requestIds.add(requestId)
  }

  /** @param before  what had been informed when it was asked */
  reported(time: number, before: number, what: string): void {
    if (!(time >= before)) this.faults.push(`${what} is of ${time}, and ${before} was reported before`)
    this.#time = Math.max(this.#time, time)
  }

  ordered(id: number, createdAt: number, before: number): void {
    if (this.#orderIds.has(id)) this.faults.push(`order id ${id} is given a second time`)
    this.#orderIds.add(id)
    this.reported(createdAt, before, `order ${id}`)
  }

  madeKey(id: string, text: string): void {
    if (this.#keysById.has(id)) this.faults.push(`key id ${id} is given a second time`)
    if (this.#texts.has(text)) this.faults.push(`the key of id ${id} is given a second time`)
    this.#texts.add(text)
    this.#keysById.set(id, { text, state: 'valid' })
  }

  revoking(id: string): void {
    const key = this.#keysById.get(id)
    if (key !== undefined) key.state = 'unknown'
  }

  revoked(id: string): void {
    const key = this.#keysById.get(id)
    if (key !== undefined) key.state = 'revoked'
    this.#revoked += 1
  }

  /** Keys of which it is known whether they work, the newest first. */
  knownKeys(count: number): readonly (readonly [id: string, key: Readonly<KnownKey>])[] {
    return [...this.#keysById].filter(([, { state }]) => state !== 'unknown').slice(-count)
  }

  lookAtKey(id: string, { state }: Readonly<KnownKey>, status: number): void {
    const expected = state === 'valid' ? 200 : 401
    if (status !== expected) this.faults.push(`key ${id} is ${state}, and was answered with ${status}`)
  }
}
