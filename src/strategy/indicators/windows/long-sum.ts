/**
 * A sum without end that keeps what rounding takes from it (Neumaier 1974), so that it does not drift.
 */

export class LongSum {
  #sum = 0
  #lost = 0

  get value(): number {
    return this.#sum + this.#lost
  }

  add(term: number): void {
    const sum = this.#sum + term
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - sum + term : term - sum + this.#sum
    this.#sum = sum
  }
}
