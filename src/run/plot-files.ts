/** Writes the plotted values of a run: as plots.csv, or as plot-blocks.csv if there are too many. */
import { PLOT_BLOCKS_HEADER, PlotBlocks } from '../report/run/plot-blocks.ts'
import { PLOTS_HEADER, plotRow } from '../report/run/run-files.ts'
import { plotRowOf, type PlotPoint } from '../runtime/session/plot-commands.ts'

/** Maximum number of values in plots.csv of a backtest. */
export const MAX_PLOT_ROWS = 100_000

type AppendRows = (name: 'plots.csv' | 'plot-blocks.csv', header: string, rows: string) => void

export class PlotFiles {
  readonly #append: AppendRows
  readonly #most: number
  #held: PlotPoint[] = []
  #blocks: PlotBlocks | undefined

  /**
   * @param append  receives rows with the header of their file
   * @param most    maximum number of values of plots.csv, held until the end; Infinity to write each when it comes
   */
  constructor(append: AppendRows, most: number) {
    this.#append = append
    this.#most = most
  }

  add(point: PlotPoint): void {
    if (this.#blocks !== undefined) this.#addRows(this.#blocks.add(point))
    else {
      this.#held.push(point)
      if (this.#most === Infinity) this.finish()
      else if (this.#held.length > this.#most) this.#beginBlocks()
    }
  }

  /** Writes everything that is held. */
  finish(): void {
    if (this.#blocks !== undefined) this.#addRows(this.#blocks.finish())
    for (const { time, name, value } of this.#held.map(plotRowOf)) {
      this.#append('plots.csv', PLOTS_HEADER, plotRow(String(time), name, value))
    }
    this.#held = []
  }

  #beginBlocks(): void {
    const blocks = new PlotBlocks()
    this.#blocks = blocks
    for (const point of this.#held) this.#addRows(blocks.add(point))
    this.#held = []
  }

  #addRows(rows: string): void {
    if (rows !== '') this.#append('plot-blocks.csv', PLOT_BLOCKS_HEADER, rows)
  }
}
