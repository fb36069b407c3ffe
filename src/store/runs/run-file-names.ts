/** The files of a run, by name: nothing else in its directory is the run's but its page. */
export const RUN_FILES = [
  'journal.jsonl',
  'orders.csv',
  'fills.csv',
  'trades.csv',
  'equity.csv',
  'periods.csv',
  'candles.csv',
  'candle-blocks.csv',
  'depth.csv',
  'plots.csv',
  'plot-blocks.csv',
  'notes.csv',
  'run.json',
] as const

export type RunFileName = (typeof RUN_FILES)[number]

/** The report, which is written last and holds the hashes of the others. */
export const REPORT_FILE = 'run.json'

/** The run as a page for people, made of the others: it is not sealed, and can be made again. */
export const PAGE_FILE = 'report.html'

/**
 * Temporary name of a page while it is written; one left by a kill can be deleted.
 *
 * @param page  file name of the page
 */
export const pagePartName = (page: string, pid: number): string => `.${page}.${pid}.partial`

/** Whether a name in the directory of a run is that of its page, whole or cut off. */
export const isPageName = (name: string): boolean => name === PAGE_FILE || /^\.report\.html\.\d+\.partial$/.test(name)

/** Near the beginning of every page of ours. */
export const PAGE_MARK = '<meta name="generator" content="papertape">'

const OPTIONAL_FILES: readonly string[] = [
  'periods.csv',
  'candles.csv',
  'candle-blocks.csv',
  'depth.csv',
  'plots.csv',
  'plot-blocks.csv',
  'notes.csv',
]

/** Files that not every run has: those of an older papertape have no series, and others wrote nothing into them. */
export const isOptionalFile = (name: string): boolean => OPTIONAL_FILES.includes(name)

/** Files that runs of an older papertape lack, whatever their length and their tapes. */
export const LATER_FILES = ['candle-blocks.csv', 'depth.csv'] as const

export const isRunFileName = (name: string): name is RunFileName => RUN_FILES.some((each) => each === name)
