/**
 * `papertape report`: a finished run as a page, or several side by side.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG } from '../shared-flags.ts'

export const REPORT_FLAGS = {
  out: {
    type: 'string',
    requiresArg: true,
    describe: 'file to write (default: report.html in the run directory)',
  },
  benchmark: {
    type: 'string',
    requiresArg: true,
    describe: 'compare with holding this market of the run, or with another run (default: hold all markets)',
  },
  plots: {
    type: 'string',
    requiresArg: true,
    describe: 'write the plotted values of a run to this CSV file instead, also those of plot-blocks.csv',
  },
  open: { type: 'boolean', describe: 'open it in a browser' },
  json: JSON_FLAG,
  db: {
    type: 'string',
    requiresArg: true,
    describe: 'database with the runs; name each run by the first digits of its id',
  },
} as const satisfies Record<string, Options>

export const reportCommand: CliCommand = {
  command: 'report <run..>',
  describe: 'write an HTML report of a run, of a sweep, or of several runs',
  builder: (yargs) =>
    yargs
      .positional('run', {
        type: 'string',
        array: true,
        describe: 'directory written by backtest --out, sweep --out, paper or live',
        demandOption: true,
      })
      .options(REPORT_FLAGS)
      .example('$0 report backtest-run --open', '')
      .example('$0 report run-a run-b --out both.html', ''),
  handler: async ({ run, out, plots, open, db, benchmark, json }) => {
    const { makeReport, writePlots } = await import('./run-report-command.ts')
    const runs = (run as readonly unknown[]).map(String)
    if (plots !== undefined)
      return writePlots(runs, { plots, others: [out, db, benchmark, open], isJson: json === true })
    return await makeReport(runs, { out, db, benchmark, isOpened: open === true, isJson: json === true })
  },
}
