/** Writes the events of a run into its files. */
import type { LoggedSink } from '../runtime/figures/outside-sink.ts'
import type { RunFiles } from './run-files.ts'

/** Everything except for the journal. @param files  undefined to write nothing */
export const sinkOf = (files: RunFiles | undefined, onLog: LoggedSink['onLog'] = () => undefined): LoggedSink => ({
  onOrder: (order, fee) => files?.onOrder(order, fee),
  onFill: (fill) => files?.onFill(fill),
  onTrip: (trip) => files?.onTrip(trip),
  onRefused: (refused) => files?.onRefused(refused),
  onPlot: (plot) => files?.onPlot(plot),
  onNote: (note) => files?.onNote(note),
  onLog,
})
