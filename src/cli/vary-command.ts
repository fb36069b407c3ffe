/** `papertape backtest --vary`: the same strategy with every combination of values of settings, as a sweep. */
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { without } from '../domain/without.ts'
import { readableCount } from '../report/readable.ts'
import { robustnessSentences, robustnessTable } from '../report/robustness-text.ts'
import { hangingLines, printable } from '../report/terminal-text.ts'
import type { SweepResult } from '../run/sweep/sweep.ts'
import { MAX_WORKERS } from '../run/sweep/thread-pool.ts'
import { variedNames } from '../runtime/settings/varied-terms.ts'
import { configOfFlags } from './backtest/backtest-flags.ts'
import { optionsOf } from './backtest/backtest-options-of.ts'
import type { FlagValues } from './cli-command.ts'
import { io } from './cli-io.ts'
import { backtestSettings } from './config/backtest-config.ts'
import { readVariedConfig } from './config/config-file.ts'
import { EXIT } from './exit-code.ts'
import { flagName } from './flag-words.ts'
import { assignment, record, several, type FlagText } from './option-values.ts'
import { givenRedisUrl } from './redis-url.ts'
import { integerOf, shownSweep } from './sweep/run-sweep-command.ts'

/** Flags about one run. */
const OF_ONE_RUN = ['db', 'count-trials', 'watch', 'bounds', 'robustness', 'null']

/** @returns the exit code */
export async function varyAndShow(named: string | undefined, values: FlagValues): Promise<number> {
  const given = OF_ONE_RUN.find((flag) => values[flag] !== undefined)
  if (given !== undefined) throw new InputError(`--${given}`, 'is about one run; it cannot be combined with --vary')
  const { file: read, strategy } = await readVariedConfig('--vary', named, values)
  const file = backtestSettings(read)
  // The output settings of one backtest do not apply to many.
  const config = without(file, 'params', 'out', 'force', 'bounds', 'db', 'countTrials')
  const { vary, ...others } = values
  const flags = configOfFlags(strategy, others)
  const varied = record(
    '--vary',
    several('--vary', vary as FlagText).map((each) => assignment('--vary', each)),
  )
  const twice = Object.keys(variedNames(varied)).find((flag) =>
    Object.keys(flags).some((key) => flag === `--${flagName(key)}`),
  )
  if (twice !== undefined) throw new InputError(twice, 'is also varied by --vary: pass its value there')
  const set = (flags.params ?? {}) as Readonly<Record<string, string>>
  const options = {
    ...without(optionsOf(config, without(flags, 'params')), 'params', 'paramTexts', 'bounds', 'keepRows', 'onProgress'),
    params: Object.fromEntries(Object.entries(set).map(([name, text]) => [name, [text]])),
    fixed: Object.fromEntries(Object.entries(file.params ?? {}).filter(([name]) => !Object.hasOwn(set, name))),
    vary: varied,
    workers: integerOf('workers', values, MAX_WORKERS),
    redis: givenRedisUrl(values),
    objective: 'return',
    turnLimit: flags.turnLimit ?? file.turnLimit,
  }
  return await shownSweep(options, values, (result) => worldsShown(result, options.out, values))
}

function worldsShown({ report, points }: SweepResult, out: string | undefined, { json, quiet }: FlagValues): number {
  const { robustness, identity } = report
  if (json === true) io.stdout.write(`${JSON.stringify(report)}\n`)
  else if (quiet !== true && robustness !== undefined) {
    const markets = identity.tapes.map(({ symbol }) => symbol).join(', ')
    const lines = robustnessSentences(robustness).flatMap((sentence) => hangingLines('', printable(sentence), WIDTH, 2))
    const [error] = points.flatMap(({ error: text }) => text ?? [])
    const files =
      out === undefined ? [] : ['', `Worlds: ${join(out, 'sweep.csv')}`, `Report: ${join(out, 'report.html')}`]
    const text = [
      `${identity.strategy.name} on ${markets}: ${readableCount(robustness.worlds, 'world')}`,
      ['', robustnessTable(robustness), ''].join('\n'),
      ...lines,
      ...(error === undefined ? [] : [`First error: ${error}`]),
      ...files,
    ]
    io.stdout.write(`${text.join('\n')}\n`)
  }
  return report.errors === points.length ? EXIT.failed : EXIT.done
}

const WIDTH = 80
