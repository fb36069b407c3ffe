/** Ids that go up by one and are never used again (decision 18). */
export class IdSequence {
  /** The newest id that was given; 0 before the first. */
  last = 0

  next(): number {
    this.last += 1
    return this.last
  }
}
