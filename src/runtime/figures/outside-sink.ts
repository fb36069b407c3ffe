/** Calls a run's sink outside the strategy's turn, whatever the strategy does at that moment. */
import { drawnOutside } from '../session/plot-commands.ts'
import type { Turn } from '../session/turn.ts'
import type { RunSink } from './run-record.ts'

/** Receives the strategy's log in addition to the rows. */
export interface LoggedSink extends RunSink {
  onLog(time: number, message: string): void
}

/** The events of every kind of run; specific ones are added by the caller. */
export const outsideSink = (turn: Turn, sink: LoggedSink): LoggedSink => {
  const { onPlot, onNote } = drawnOutside(turn, sink)
  return {
    onOrder: (order, fee) => {
      turn.outside(() => {
        sink.onOrder(order, fee)
      })
    },
    onFill: (fill) => {
      turn.outside(() => {
        sink.onFill(fill)
      })
    },
    onTrip: (trip) => {
      turn.outside(() => {
        sink.onTrip?.(trip)
      })
    },
    onRefused: (refused) => {
      turn.outside(() => {
        sink.onRefused?.(refused)
      })
    },
    onPlot,
    onNote,
    onLog: (time, message) => {
      turn.outside(() => {
        sink.onLog(time, message)
      })
    },
  }
}
