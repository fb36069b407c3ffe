/** The commands on finished runs and on recordings, for any program: `why`, `diff`, `report`, `record`, and tapes. */
import type { RecordOptions, RecordStatus } from './record.ts'

/** Explanation of an order. */
export interface WhyAnswer {
  /** The outcome of the order, and its reason. */
  readonly verdict: string
  /** The explanation that `papertape why` prints, in lines. */
  readonly text: string
  /** Deviations of the journal from the one that the run wrote, each starting with the path. */
  readonly faults: readonly string[]
}

/**
 * Explains from the journal of a run why an order filled, filled late, or did not.
 *
 * @param directory  of the run
 * @param order      id of the order, `ref:N` of a refused request, or `wN` of a conditional order
 * @throws {InputError} if there is no such order, naming similar ones
 */
export async function why(directory: string, order: string): Promise<WhyAnswer> {
  const [{ explainedOrder }, { explanationText }] = await Promise.all([
    import('./explained-order.ts'),
    import('../report/order-explanation/order-explanation.ts'),
  ])
  const { explanation, faults } = explainedOrder(directory, order)
  return { verdict: explanation.verdict, text: explanationText(explanation), faults }
}

/** Comparison of two runs. */
export interface RunComparison {
  /** True if settings, requests and reports are the same, apart from ids. */
  readonly isSame: boolean
  /** Number of places at which the runs diverge. */
  readonly partings: number
  /** The comparison that `papertape diff` prints, in lines. */
  readonly text: string
}

/**
 * Finds where two runs diverge, and why.
 *
 * @param directories  of the two runs
 * @param isAll        true to describe every divergence; default: the first
 * @throws {InputError} if one of them is not a run
 */
export async function diff(directories: readonly [string, string], isAll = false): Promise<RunComparison> {
  const [{ readComparedRun }, { runDifference }, { differenceText }] = await Promise.all([
    import('./compared-run-files.ts'),
    import('../report/run-difference/run-difference.ts'),
    import('../report/run-difference/difference-text.ts'),
  ])
  const [a, b] = directories
  const difference = runDifference({ a: readComparedRun(a), b: readComparedRun(b) }, isAll)
  return { isSame: difference.isSame, partings: difference.partingCount, text: differenceText(difference) }
}

/** Runs of a page, and the file to write it to. */
export interface ReportOptions {
  /** Run directories, or ids in a database; at least one. */
  readonly runs: readonly string[]
  /** Path of the page. An earlier page there is replaced. */
  readonly out: string
  /** Database of the ids; default: `runs` are directories. */
  readonly db?: string | undefined
  /** A market of the only run, or another run, to compare it with; default: holding all markets. */
  readonly benchmark?: string | undefined
}

/**
 * Writes the page of one run, or of several to compare: one HTML file that works offline.
 *
 * @returns deviations from the files as written by the runs, each starting with the path
 * @throws {InputError} if one of them is not a finished run, or the page cannot be written
 */
export async function report({ out, ...options }: ReportOptions): Promise<readonly string[]> {
  const { reportPage, writePage } = await import('./report-page.ts')
  const { html, faults } = reportPage(options)
  writePage(out, html)
  return faults
}

/** Options of `record`. */
export interface RecordToOptions extends Omit<RecordOptions, 'place'> {
  /** Directory of CSV files, or a database if the name ends in `.db`. An earlier recording there is continued. */
  readonly into: string
}

/**
 * Records the trades of markets of a service until `signal` aborts.
 *
 * @returns the last status
 * @throws {InputError} for a symbol that the service does not list, or a file that cannot be written
 * @throws {ExchangeError} if the service cannot be used at the start
 */
export async function record({ into, ...options }: RecordToOptions): Promise<RecordStatus> {
  const [module, { recordingPlace }, { checkServiceUrl }] = await Promise.all([
    import('./record.ts'),
    import('../runtime/recording/recordings.ts'),
    import('./settings-of-options.ts'),
  ])
  checkServiceUrl(options.url)
  return await module.record({ ...options, place: recordingPlace(into) })
}

/** Options of `importTapes`. */
export interface ImportTapesOptions {
  /** Recordings, each a path, or a path with the symbol of a file that does not say it; at least one. */
  readonly files: readonly (string | { readonly file: string; readonly symbol?: string })[]
  /** Database, or a `.tape` file. */
  readonly into: string
  /** Stops the import; then nothing is imported. */
  readonly signal?: AbortSignal | undefined
  /** Called repeatedly with the file that is read, the number of bytes read so far, and the number of all. */
  readonly onReading?: ((file: string, bytesRead: number, bytesTotal: number) => void) | undefined
}

/** An imported file. */
export interface ImportedTape {
  /** The file as it was named. */
  readonly file: string
  /** Symbol of its market. */
  readonly symbol: string
  /** Kind of its rows. */
  readonly kind: 'trades' | 'candles' | 'depth' | 'quotes'
  /** Number of rows that are new. */
  readonly imported: number
  /** Number of rows that were there already. */
  readonly duplicate: number
  /** Information for people, in full sentences. */
  readonly notices: readonly string[]
}

/**
 * Imports recordings into a database or a `.tape` file, all or none.
 *
 * @throws {InputError} at the first invalid row, with its place
 * @throws {AbortError} when `signal` aborts
 */
export async function importTapes(options: ImportTapesOptions): Promise<readonly ImportedTape[]> {
  const { files, into, signal, onReading } = options
  const [{ importRecordings }, { MACHINE_CLOCKS }, { version }] = await Promise.all([
    import('../store/transfers/import-recordings.ts'),
    import('../adapter/live/machine-clocks.ts'),
    import('../runtime/version.ts'),
  ])
  const sources = files.map((file) => (typeof file === 'string' ? { file } : file))
  const form = /\.tape$/i.test(into) ? 'tape-file' : 'store'
  const manifests = await importRecordings(
    sources,
    { form, file: into },
    { signal, onReading, importedAt: MACHINE_CLOCKS.wall(), version: version() },
  )
  return manifests.map(({ name, symbol, kind, imported, duplicate, notices }) => ({
    file: name,
    symbol,
    kind,
    imported,
    duplicate,
    notices,
  }))
}

/** Options of `exportTape`. */
export interface ExportTapeOptions {
  /** File or database of the tape. */
  readonly tape: string
  /** Market, if the database has several. */
  readonly symbol?: string | undefined
  /** Start of the exported part, Unix milliseconds; default: all. */
  readonly from?: number | undefined
  /** End of the exported part, exclusive, Unix milliseconds; default: all. */
  readonly to?: number | undefined
  /** File to write, of the form that its name says: `.csv`, `.csv.gz`, `.parquet` or `.tape`. */
  readonly out: string
  /** Overwrite an existing file; default: false. */
  readonly force?: boolean | undefined
}

/** An exported tape. */
export interface TapeExport {
  /** Path of the file. */
  readonly file: string
  /** Symbol of its market. */
  readonly symbol: string
  /** Kind of its rows. */
  readonly kind: 'trades' | 'candles'
  /** Number of rows. */
  readonly rows: number
  /** Number of bytes of the file. */
  readonly bytes: number
  /** Information that the format cannot represent, in full sentences. */
  readonly notices: readonly string[]
}

/**
 * Exports a tape. The file appears when it is complete.
 *
 * @throws {InputError} naming the file or the option that is wrong
 */
export async function exportTape(options: ExportTapeOptions): Promise<TapeExport> {
  const { tape: file, symbol, from, to, out, force: isForced = false } = options
  const module = await import('../store/tapes/exports/export-tape.ts')
  const source = { file, ...(symbol !== undefined && { symbol }) }
  const window = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  return await module.exportTape({ source, window, file: out, isForced })
}
