/**
 * `papertape import`: recordings of any format into a store, or into one `.tape` file.
 */
import type { CliCommand } from '../cli-command.ts'

export const importCommand: CliCommand = {
  command: 'import <files..>',
  describe: 'import recordings of any format into a database of tapes',
  builder: async (yargs) =>
    yargs
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'files to import, [SYMBOL=]FILE; - reads standard input',
      })
      .options((await import('./import-flags.ts')).IMPORT_FLAGS)
      .example('$0 import BTCUSDT-trades-2024-*.zip', '')
      .example('$0 backtest sma-cross --tape papertape.db --symbol BTC_USDT', ''),
  handler: async (values) => {
    const { importFiles } = await import('./run-import-command.ts')
    return await importFiles(values)
  },
}
