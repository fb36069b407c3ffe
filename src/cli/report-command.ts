/**
 * `papertape report`: a finished run as a page, or several side by side.
 */
import type { CliCommand } from './cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG } from './json-flag.ts'

export const REPORT_FLAGS = {
  out: {
    type: 'string',
    requiresArg: true,
    describe: 'file to write (default: report.html in the directory of a single run)',
  },
  open: { type: 'boolean', describe: 'show it in a browser' },
  json: JSON_FLAG,
  db: {
    type: 'string',
    requiresArg: true,
    describe: 'store that the runs are in; they are named by first digits of their ids',
  },
} as const satisfies Record<string, Options>

export const reportCommand: CliCommand = {
  command: 'report <run..>',
  describe: 'make a page of a run or a sweep, or of several runs side by side',
  builder: (yargs) =>
    yargs
      .positional('run', {
        type: 'string',
        array: true,
        describe: 'directory written by backtest --out, by a session, or by sweep --out',
        demandOption: true,
      })
      .options(REPORT_FLAGS)
      .example('$0 report backtest-run --open', '')
      .example('$0 report run-a run-b --out both.html', ''),
  handler: async ({ run, out, open, db, json }) => {
    const { makeReport } = await import('./run-report-command.ts')
    const runs = (run as readonly unknown[]).map(String)
    return await makeReport(runs, { out, db, isOpened: open === true, isJson: json === true })
  },
}
