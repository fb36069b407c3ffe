/**
 * `papertape check`, once its flags are read, in the thread that runs strategies.
 */
import { dirname, join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { escapeControls } from '../../domain/escape-controls.ts'
import { integer } from '../../runtime/settings/form.ts'
import { seedForm } from '../../runtime/settings/run-terms.ts'
import { strategyPath } from '../../runtime/strategies/strategy-file.ts'
import {
  checkStrategy,
  replayFinding,
  type CheckFinding,
  type CheckResult,
} from '../../testing/check/check-strategy.ts'
import { FAULT_KINDS, type FaultKind } from '../../testing/check/fault-kinds.ts'
import { readFinding, writeFinding } from '../../testing/check/finding-files.ts'
import { io } from '../cli-io.ts'
import { backtestSettings } from '../config/backtest-config.ts'
import { readConfigFile } from '../config/config-file.ts'
import type { StrategyConfig } from '../config/session-sections.ts'
import { EXIT } from '../exit-code.ts'
import type { FlagValues } from '../cli-command.ts'
import { assignment, record, several, single, type FlagText } from '../option-values.ts'
import { shellQuoted } from '../shell-quoted.ts'
import type { Shown } from '../thread/thread-messages.ts'
import type { TypeFault } from '../types/type-check.ts'
import { shortPath, typeFaultsText } from '../types/types-thread.ts'

// Taken at load time, because the global refuses while a strategy runs, and a check stops the clock.
const wallClock = Date.now

const MAX_RUNS = 1_000_000
const OUT = 'papertape-check'

interface CheckFlags {
  readonly strategy: string
  /** Name of its directory of findings; default: that of the strategy. */
  readonly label?: string | undefined
  readonly params: Readonly<Record<string, unknown>>
  readonly runs: number | undefined
  readonly seed: number | undefined
  readonly paramTexts: Readonly<Record<string, string>>
  readonly symbols: readonly string[]
  /** Files with its own data by name. */
  readonly series: Readonly<Record<string, string>>
  readonly out: string
  readonly replay: string | undefined
  readonly hasTypes: boolean
  readonly isJson: boolean
}

interface SavedFindingPlace {
  readonly finding: CheckFinding
  readonly directory: string
  readonly command: string
}

/**
 * @param strategy  undefined for those of the config file
 * @throws {InputError} for an invalid flag, or a strategy that cannot be tested
 */
export async function checkAndShow(strategy: string | undefined, values: FlagValues): Promise<Shown> {
  if (strategy !== undefined) return await checkOne({ ...flagsOf(strategy, values), params: {} })
  const shown: Shown[] = []
  const { listed, series } = await configured(values)
  for (const { use, name, params = {} } of listed) {
    const flags = flagsOf(use, values)
    shown.push(await checkOne({ ...flags, series: { ...series, ...flags.series }, params, label: name }))
  }
  return {
    code: shown.some(({ code }) => code !== EXIT.done) ? EXIT.failed : EXIT.done,
    stdout: shown.map(({ stdout }) => stdout).join(''),
    stderr: '',
  }
}

/** The strategies of the config file, and their own data. @throws {InputError} if there are no strategies */
async function configured({ replay }: FlagValues): Promise<{
  readonly listed: readonly StrategyConfig[]
  readonly series: Readonly<Record<string, string>>
}> {
  const { strategy, params, strategies, series = {} } = backtestSettings(await readConfigFile(undefined))
  if (replay !== undefined) throw new InputError(setting('replay'), 'names a finding of one strategy: name it, too')
  const listed = strategies ?? (strategy === undefined ? [] : [{ use: strategy, params }])
  if (listed.length > 0) return { listed, series }
  throw new InputError('check', 'missing strategy: give a file, or a name from `papertape strategies`')
}

async function checkOne(flags: CheckFlags): Promise<Shown> {
  if (flags.replay === undefined)
    return await checkRandom(flags, flags.hasTypes ? await typeFaultsOf(flags) : undefined)
  if (flags.hasTypes) throw new InputError(setting('types'), worded`cannot be combined with ${setting('replay')}`)
  return await checkAgain(flags, flags.replay)
}

/** Printed before the markets are generated, which takes longer. @throws {InputError} without TypeScript */
async function typeFaultsOf({ strategy, isJson }: CheckFlags): Promise<readonly TypeFault[]> {
  const path = strategyPath(strategy)
  const { TypeCheck } = await import('../types/type-check.ts')
  const faults = TypeCheck.load([dirname(path), io.cwd]).faults([path])
  if (!isJson) {
    const count = faults.length === 1 ? '1 type error' : `${faults.length === 0 ? 'no' : faults.length} type errors`
    io.stdout.write(`${typeFaultsText(faults)}${escapeControls(shortPath(path))}: ${count}\n\n`)
  }
  return faults
}

function flagsOf(strategy: string, values: FlagValues): Omit<CheckFlags, 'params'> {
  const text = (flag: string): string | undefined => single(`--${flag}`, values[flag] as FlagText)
  const [runs, seed] = [text('runs'), text('seed')]
  return {
    strategy,
    runs: runs === undefined ? undefined : integer(1, MAX_RUNS).ofText(setting('runs'), runs),
    seed: seed === undefined ? undefined : seedForm.ofText(setting('seed'), seed),
    paramTexts: record(
      '--param',
      several('--param', values.param as FlagText).map((each) => assignment('--param', each)),
    ),
    symbols: several('--symbol', values.symbol as FlagText),
    series: record(
      '--series',
      several('--series', values.series as FlagText).map((each) => assignment('--series', each)),
    ),
    out: text('out') ?? OUT,
    replay: text('replay'),
    hasTypes: values.types === true,
    isJson: values.json === true,
  }
}

async function checkRandom(flags: CheckFlags, types: readonly TypeFault[] | undefined): Promise<Shown> {
  const { strategy, label, runs, seed, params, paramTexts, symbols, series, out, isJson } = flags
  const isShown = !isJson && io.stderr.isTTY
  const result = await checkStrategy({
    strategy,
    runs,
    seed,
    params,
    paramTexts,
    symbols,
    series,
    clock: () => wallClock(),
    // A given number of runs has no time limit.
    ...(runs !== undefined && { searchMs: Number.POSITIVE_INFINITY }),
    onRun: (run, all) => {
      if (isShown) io.stderr.write(`\r\u001b[K${run} of ${all} markets`)
    },
  })
  if (isShown) io.stderr.write('\r\u001b[K')
  const found = result.findings.map((finding): SavedFindingPlace => {
    const directory = join(out, label ?? result.name, finding.kind)
    const given = Object.entries(series).map(([name, file]) => `--series ${shellQuoted(`${name}=${file}`)}`)
    writeFinding(setting('out'), directory, finding, { strategy, seed: result.seed, params, paramTexts })
    return {
      finding,
      directory,
      command: ['papertape check', shellQuoted(strategy), ...given, '--replay', shellQuoted(directory)].join(' '),
    }
  })
  const stdout = isJson ? jsonOf(result, found, types) : textOf(result, found)
  const isClean = found.length === 0 && (types ?? []).length === 0
  return { code: isClean ? EXIT.done : EXIT.failed, stdout, stderr: '' }
}

function jsonOf(
  { name, seed, runs, tried, slow }: CheckResult,
  found: readonly SavedFindingPlace[],
  typeErrors: readonly TypeFault[] | undefined,
): string {
  const findings = found.map(({ finding: { kind, text, time, rows, run }, directory, command }) => {
    return { kind, text, time, rows, run, directory, command }
  })
  return `${JSON.stringify({ strategy: name, seed, runs, tried, slow, findings, typeErrors })}\n`
}

function textOf({ name, seed, runs, tried, slow }: CheckResult, found: readonly SavedFindingPlace[]): string {
  const tries = tried === runs ? `${tried} markets` : `${tried} of ${runs} markets`
  const count = found.length === 0 ? 'no faults found' : found.length === 1 ? '1 fault' : `${found.length} faults`
  const notes = slow === 0 ? '' : `, ${slow} too slow to compare`
  const head = `${escapeControls(name)}: ${count} in ${tries} (seed ${seed}${notes})\n`
  const texts = found.map(({ finding, directory, command }) => {
    const { rows, time } = finding
    const size = `${rows} ${rows === 1 ? 'row' : 'rows'} in ${directory}`
    return `\n${factOf(finding)}\n  ${isoTime(time)}, ${size}\n  reproduce: ${command}\n`
  })
  return [head, ...texts].join('')
}

/** `throws: an unexpected price`. */
const factOf = ({ kind, text }: { readonly kind: FaultKind; readonly text: string }): string =>
  `${FAULT_KINDS[kind]}: ${escapeControls(text)}`

async function checkAgain({ strategy, paramTexts, series, isJson }: CheckFlags, directory: string): Promise<Shown> {
  const found = await readFinding(setting('replay'), directory)
  const given = { strategy, series, params: found.params, paramTexts: { ...found.paramTexts, ...paramTexts } }
  const fault = await replayFinding(given, found)
  const json = {
    strategy,
    kind: found.kind,
    isFound: fault !== undefined,
    ...(fault && { text: fault.text, time: fault.time }),
  }
  const reported = fault === undefined ? `not reproduced: ${FAULT_KINDS[found.kind]}` : factOf(fault)
  return {
    code: fault === undefined ? EXIT.done : EXIT.failed,
    stdout: isJson ? `${JSON.stringify(json)}\n` : `${reported}\n`,
    stderr: '',
  }
}
