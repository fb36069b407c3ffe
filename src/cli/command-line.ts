/**
 * The command line: commands, help, and how every failure is shown. Loading it runs it.
 */
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { backtestCommand } from './backtest/backtest-command.ts'
import { checkCommand } from './check/check-command.ts'
import { completionCommand } from './completion/completion-command.ts'
import { diffCommand } from './diff-command.ts'
import { exportCommand } from './export/export-command.ts'
import { generateCommand } from './generate-command.ts'
import { initCommand } from './init/init-command.ts'
import { importCommand } from './import/import-command.ts'
import { conformanceCommand } from './probe/conformance-command.ts'
import { doctorCommand } from './probe/doctor-command.ts'
import { errorText } from './error-text.ts'
import { exitCodeOf } from './exit-code.ts'
import { liveCommand } from './live/live-command.ts'
import { parityCommand } from './parity/parity-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import { newCommand } from './new/new-command.ts'
import { paperCommand } from './paper/paper-command.ts'
import { leave, watchOutput } from './process-end.ts'
import { runsCommand } from './runs/runs-command.ts'
import { strategiesCommand } from './strategies/strategies-command.ts'
import { sweepCommand } from './sweep/sweep-command.ts'
import { replayCommand } from './replay-command.ts'
import { reportCommand } from './report-command.ts'
import { recordCommand } from './record/record-command.ts'
import { refuseIgnored, usageError } from './usage-error.ts'
import { tapesCommand } from './tapes/tapes-command.ts'
import { verifyCommand } from './verify-command.ts'
import { version } from '../runtime/version.ts'
import { whyCommand } from './why-command.ts'
import { workerCommand } from './worker/worker-command.ts'

const args = hideBin(process.argv).map((arg) => (arg === '-' ? '/dev/stdin' : arg))

watchOutput()

/** Yargs tells most of its errors to `fail` in words, and throws the others. */
class UsageFault extends Error {
  override readonly name = 'YError'
}

async function asUsageError(error: unknown): Promise<unknown> {
  return error instanceof Error && error.name === 'YError' ? await usageError(error.message, args) : error
}

try {
  await refuseIgnored(args)
  await yargs(args)
    .scriptName('papertape')
    // Usage errors are told apart by their English text.
    .locale('en')
    .usage('$0 <command>')
    .command(initCommand)
    .command(newCommand)
    .command(backtestCommand)
    .command(sweepCommand)
    .command(workerCommand)
    .command(verifyCommand)
    .command(checkCommand)
    .command(whyCommand)
    .command(diffCommand)
    .command(replayCommand)
    .command(reportCommand)
    .command(runsCommand)
    .command(importCommand)
    .command(exportCommand)
    .command(tapesCommand)
    .command(generateCommand)
    .command(serveCommand)
    .command(paperCommand)
    .command(recordCommand)
    .command(doctorCommand)
    .command(conformanceCommand)
    .command(liveCommand)
    .command(parityCommand)
    .command(strategiesCommand)
    .command(completionCommand)
    .demandCommand(1, 'expected a command')
    .strict()
    .version(version())
    .help()
    .alias('help', 'h')
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .wrap(Math.min(120, process.stdout.columns || 100))
    .fail((message: string | null, error: unknown) => {
      throw error instanceof Error ? error : new UsageFault(message ?? '')
    })
    .parseAsync()
} catch (thrown) {
  const error = await asUsageError(thrown)
  process.stderr.write(`${await errorText(error, args[0])}\n`)
  process.exitCode = exitCodeOf(error)
}
await leave()
