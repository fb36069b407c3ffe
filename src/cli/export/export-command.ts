/**
 * `papertape export`: a tape as a file for other tools.
 */
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'

export const exportCommand: CliCommand = {
  command: 'export',
  describe: 'write a tape to a CSV, Parquet or .tape file',
  builder: async (yargs) =>
    yargs
      .options((await import('./export-flags.ts')).EXPORT_FLAGS)
      .example('$0 export --symbol BTC_USDT --out btc_usdt.csv.gz', '')
      .example('$0 export --tape BTC_USD=data/btc_usd.csv.gz --from 2024-01-02 --to 2024-01-03 --out day.parquet', ''),
  handler: async (values) => {
    const { exportFile } = await import('./run-export-command.ts')
    await exportFile(values)
    return EXIT.done
  },
}
