/**
 * The commands of operators on their way through the database: written by other processes, taken and answered by the
 * one that has the lock.
 *
 * Invariant: a command is taken once, and answered at most once; one that its writer has withdrawn is never taken.
 */
import type Database from 'better-sqlite3'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import { OPERATOR_ANSWER, OPERATOR_COMMAND, type OperatorAnswer, type OperatorCommand } from './operator-command.ts'

export interface TakenCommand {
  readonly id: number
  readonly command: OperatorCommand
}

interface CommandRow {
  readonly id: number
  readonly body: string
}

const TAKE = 'UPDATE command SET taken_at = ? WHERE taken_at IS NULL RETURNING id, body'
const CLOSE = 'UPDATE command SET taken_at = coalesce(taken_at, 0), answer = ? WHERE answer IS NULL'
/** Answers are read long before this. */
const FORGET = 'DELETE FROM command WHERE created_at < ? AND answer IS NOT NULL'
const RETENTION_MS = 24 * 3_600_000

export class OperatorCommands {
  readonly #file: string
  readonly #database: Database.Database
  readonly #any: Database.Statement<[]>
  readonly #take: Database.Statement<[number], CommandRow>

  constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
    this.#any = database.prepare('SELECT 1 FROM command WHERE taken_at IS NULL')
    this.#take = database.prepare(TAKE)
  }

  /** Leaves a command for the process. @param time  Unix milliseconds @returns its id */
  request(command: OperatorCommand, time: number): number {
    return this.#named(() => {
      const insert = this.#database.prepare<[string, number]>('INSERT INTO command (body, created_at) VALUES (?, ?)')
      return Number(insert.run(JSON.stringify(command), time).lastInsertRowid)
    })
  }

  /** Undefined as long as there is none. */
  answerTo(id: number): OperatorAnswer | undefined {
    return this.#named(() => {
      const select = this.#database.prepare<[number], { readonly answer: string | null }>(
        'SELECT answer FROM command WHERE id = ?',
      )
      const answer = select.get(id)?.answer ?? undefined
      return answer === undefined ? undefined : OPERATOR_ANSWER.parse(JSON.parse(answer))
    })
  }

  /** Withdraws a command that no process has taken. @returns false if it was taken: it may already be executed */
  withdraw(id: number): boolean {
    return this.#named(
      () =>
        this.#database.prepare<[number]>('DELETE FROM command WHERE id = ? AND taken_at IS NULL').run(id).changes === 1,
    )
  }

  /** Those that came since, oldest first; a few times a second, so it writes nothing when there is none. */
  take(time: number): readonly TakenCommand[] {
    return this.#named(() => {
      if (this.#any.get() === undefined) return []
      const rows = this.#take.all(time).sort((a, b) => a.id - b.id)
      return rows.flatMap(({ id, body }) => this.#readOrAnswer(id, body))
    })
  }

  answer(id: number, answer: OperatorAnswer): void {
    this.#named(() =>
      this.#database
        .prepare<[string, number]>('UPDATE command SET answer = ? WHERE id = ? AND answer IS NULL')
        .run(JSON.stringify(answer), id),
    )
  }

  /** Answers for a process that is gone, or goes, all that is left open. */
  close(message: string, time: number): void {
    this.#named(() => {
      this.#database.prepare<[string]>(CLOSE).run(JSON.stringify({ isDone: false, message }))
      this.#database.prepare<[number]>(FORGET).run(time - RETENTION_MS)
    })
  }

  /** Commands of another version are answered as well, because their sender waits. */
  #readOrAnswer(id: number, body: string): readonly TakenCommand[] {
    const read = OPERATOR_COMMAND.safeParse(JSON.parse(body))
    if (read.success) return [{ id, command: read.data }]
    this.answer(id, {
      isDone: false,
      message: 'the process does not know this command; it may run another version of papertape',
    })
    return []
  }

  #named<T>(action: () => T): T {
    return withFaultsNamed(this.#file, action)
  }
}
