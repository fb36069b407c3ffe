/** `papertape fork`, once its flags are read: the new run, and where it differs from the old one. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { differenceText } from '../../report/run-difference/difference-text.ts'
import { runDifference } from '../../report/run-difference/run-difference.ts'
import { forkText } from '../../report/run/fork-text.ts'
import { printable } from '../../report/terminal-text.ts'
import { readComparedRun } from '../../run/compared-run-files.ts'
import { unwatched } from '../../runtime/heartbeat.ts'
import { fork, type ForkedRun, type ForkOptions } from '../../run/fork.ts'
import { failureLine } from '../backtest/run-output.ts'
import type { FlagValues } from '../cli-command.ts'
import { reportedError } from '../error-text.ts'
import { EXIT } from '../exit-code.ts'
import { comparisonPage } from '../comparison-page.ts'
import { pageBeside } from '../page-beside.ts'
import { assignment, type FlagText, milliseconds, record, several, single } from '../option-values.ts'
import type { Shown } from '../thread/thread-messages.ts'
import { flagName } from '../flag-words.ts'
import { FORK_TERMS } from './fork-flags.ts'

export async function forkAndShow(run: string, values: FlagValues): Promise<Shown> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const out = text('out') ?? `${run.replace(/\/+$/, '')}-fork`
  const forked = await fork({ ...optionsOf(values, text), run, out, force: values.force === true }).catch(inFlags)
  const { report: newReport, isSame, sameLines, refusal } = forked
  // No strategy runs any more, and the journals of long runs take longer than a turn may.
  const difference = unwatched(() => runDifference({ a: readComparedRun(run), b: readComparedRun(out) }, false))
  const stderr = newReport.failure === null ? '' : `${reportedError(failureLine(newReport, newReport.failure))}\n`
  const code = newReport.failure === null ? EXIT.done : EXIT.failed
  // Both pages here: another thread would have to load what makes them once more.
  const page = unwatched(() => {
    const fault = pageBeside(out)
    const { lines, faults } = comparisonPage(run, out)
    return { lines, faults: fault + faults }
  })
  if (values.json === true) {
    const json = {
      out,
      fork: newReport.fork,
      isSame,
      sameLines,
      refusal: refusal ?? null,
      digest: newReport.digest,
      difference,
    }
    return { code, stdout: `${JSON.stringify(json)}\n`, stderr: stderr + page.faults }
  }
  return {
    code,
    stdout: `${shownText(forked, out, page.lines)}\n${differenceText(difference)}\n`,
    stderr: stderr + page.faults,
  }
}

/** Changed parameters have a flag of their own. */
function inFlags(error: unknown): never {
  if (!(error instanceof InputError)) throw error
  throw error.renamed((name) => (name.path.startsWith('params.') ? setting(name.path.replace('params', 'set')) : name))
}

function optionsOf(values: FlagValues, text: (flag: string) => string | undefined): Omit<ForkOptions, 'run' | 'out'> {
  const params = several('--set', values.set as FlagText).map((each) => assignment('--set', each))
  return {
    at: text('at'),
    ...(params.length > 0 && { params: record('--set', params) }),
    strategy: text('strategy'),
    ...(values.restart === true && { restart: true }),
    without: text('without'),
    add: text('add'),
    orderLatency: milliseconds('--order-latency', text('order-latency')),
    responseLatency: milliseconds('--response-latency', text('response-latency')),
    ...termsOf(text),
  }
}

/** The terms at their paths in the options. */
function termsOf(text: (flag: string) => string | undefined): Pick<ForkOptions, 'fees' | 'liquidity' | 'risk'> {
  const groups: Record<string, Record<string, unknown>> = { fees: {}, risk: {} }
  for (const { option, key, form } of FORK_TERMS) {
    const given = text(flagName(key))
    const [group = '', name] = option.split('.')
    if (given !== undefined && name !== undefined)
      groups[group] = { ...groups[group], [name]: form.ofText?.(setting(option), given) }
  }
  return { ...groups, liquidity: text('liquidity') }
}

function shownText(
  { report: newReport, isSame, sameLines, refusal }: ForkedRun,
  out: string,
  pageLines: readonly string[],
): string {
  const { fork: forked } = newReport
  if (forked === undefined) return ''
  const rest = isSame
    ? 'Nothing differs after it either: the digest is the same.'
    : `The ${sameLines} lines of the journal before ${isoTime(forked.at)} are the same.`
  const warnings = newReport.notices.slice(0, newReport.warnings).map((warning) => `warning: ${warning}`)
  return [
    forkText(forked, newReport),
    rest,
    ...(refusal === undefined ? [] : [`The added order was refused: ${refusal}`]),
    ...warnings,
    `run        ${printable(out)}`,
    ...pageLines,
    '',
  ].join('\n')
}
