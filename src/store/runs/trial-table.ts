/**
 * The ledger of trials in a database: every completed run of a strategy on a tape, from a backtest or a sweep. The best
 * of many trials is worth less than the best of few (selection bias), so the number of trials must be known.
 *
 * Invariant: a repeated trial counts once, with the time of the first run.
 */
import type Database from 'better-sqlite3'

export interface Trial {
  /** Lower-case hex SHA-256 over all that its outcome depends on. */
  readonly id: string
  /** Name of the strategy. */
  readonly strategy: string
  /** Lower-case hex SHA-256 of its files; null for one that a program gave. */
  readonly source: string | null
  /** Lower-case hex SHA-256 over the tapes that it ran on. */
  readonly tape: string
  /** JSON: texts by name. */
  readonly params: string
  readonly digest: string | null
  /** Annualized; null if undefined. */
  readonly sharpe: number | null
  /** JSON: numbers by name. */
  readonly statistics: string
  /** Unix milliseconds. */
  readonly ranAt: number
}

/** Lives as long as the transaction of the store that gave it. */
export class TrialTable {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  put(trials: readonly Trial[]): void {
    const insert = this.#database.prepare(
      `INSERT INTO trial (id, strategy, source, tape, params, digest, sharpe, statistics, ran_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET
         digest = excluded.digest, sharpe = excluded.sharpe, statistics = excluded.statistics, ran_at = min(ran_at, excluded.ran_at)`,
    )
    for (const { id, strategy, source, tape, params, digest, sharpe, statistics, ranAt } of trials) {
      insert.run(id, strategy, source, tape, params, digest, sharpe, statistics, ranAt)
    }
  }

  /**
   * Annualized Sharpe ratios of all trials of a strategy on a tape, ascending, those without one first; whatever
   * sources it had.
   */
  sharpes(strategy: string, tape: string): readonly (number | null)[] {
    if (!this.#isThere()) return []
    return this.#database
      .prepare<[string, string], { readonly sharpe: number | null }>(
        'SELECT sharpe FROM trial WHERE strategy = ? AND tape = ? ORDER BY sharpe',
      )
      .all(strategy, tape)
      .map(({ sharpe }) => sharpe)
  }

  /** A store of an earlier form has no place for them. */
  #isThere(): boolean {
    return this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'trial'").get() !== undefined
  }
}
