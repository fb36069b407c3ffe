/**
 * Every seeded bug.
 */
import type { SeededBug } from './seeded-bug.ts'
import { BUGS_OF_ANSWERS } from './seeded-bugs-of-answers.ts'
import { BUGS_OF_BOOKS } from './seeded-bugs-of-books.ts'
import { BUGS_OF_LONG_RUNS } from './seeded-bugs-of-long-runs.ts'
import { BUGS_OF_MONEY } from './seeded-bugs-of-money.ts'
import { BUGS_OF_OFFERS } from './seeded-bugs-of-offers.ts'
import { BUGS_OF_REDUCTIONS } from './seeded-bugs-of-reductions.ts'
import { BUGS_OF_ROWS } from './seeded-bugs-of-rows.ts'
import { BUGS_OF_TAKES } from './seeded-bugs-of-takes.ts'

export const SEEDED_BUGS: readonly SeededBug[] = [
  ...BUGS_OF_BOOKS,
  ...BUGS_OF_MONEY,
  ...BUGS_OF_ANSWERS,
  ...BUGS_OF_ROWS,
  ...BUGS_OF_TAKES,
  ...BUGS_OF_OFFERS,
  ...BUGS_OF_REDUCTIONS,
  ...BUGS_OF_LONG_RUNS,
]
