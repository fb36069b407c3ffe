/**
 * The files of a run, by name: nothing else in its directory is the run's.
 */
export const RUN_FILES = [
  'journal.jsonl',
  'orders.csv',
  'fills.csv',
  'trades.csv',
  'equity.csv',
  'plots.csv',
  'notes.csv',
  'run.json',
] as const

export type RunFileName = (typeof RUN_FILES)[number]

/** The report, which is written last and holds the hashes of the others. */
export const REPORT_FILE = 'run.json'

/** Files that a run has only when its strategy wrote something into them. */
export const isOptionalFile = (name: string): boolean => name === 'plots.csv' || name === 'notes.csv'

export const isRunFileName = (name: string): name is RunFileName => RUN_FILES.some((each) => each === name)
