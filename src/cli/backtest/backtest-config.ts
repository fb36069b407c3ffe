/**
 * Config of a backtest, as `papertape.config.ts|js|json` has it and as the flags are read into: one schema for both.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { expected } from '../../runtime/settings/form.ts'
import { EACH_TERM, rateLimits } from '../../runtime/settings/run-terms.ts'
import { EACH_BOOK_READING, EACH_READING, type GivenReading } from '../../runtime/settings/tape-reading.ts'
import { TURN_LIMIT_WORDS, turnLimitForm } from '../thread/turn-limit.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'

const reading = Object.fromEntries(
  EACH_READING.map(([name, { form, words }]) => [name, form.schema.optional().describe(words)]),
)
const terms = Object.fromEntries(
  EACH_TERM.map(([, { key, form, words }]) => [key, form.schema.optional().describe(words)]),
)

const tapeFile = z.strictObject({ file: z.string().describe('CSV or CSV.gz'), ...reading })
const tape = z.union([z.string(), tapeFile], expected("'[SYMBOL=]FILE' or { file, symbol, ... }"))

const depthFile = z.strictObject({
  file: z.string().describe('CSV or JSON, or either compressed'),
  ...Object.fromEntries(
    EACH_BOOK_READING.map(([name, { form, words }]) => [name, form.schema.optional().describe(words)]),
  ),
})
const depth = z.union([z.string(), depthFile], expected("'SYMBOL=FILE' or { file, symbol, ... }"))

const backtestConfig = z.strictObject({
  $schema: z
    .string()
    .optional()
    .describe('schema of this file, for editors: ./node_modules/papertape/config.schema.json'),
  strategy: z.string().optional().describe('name of a ready strategy, or a TypeScript or JavaScript file'),
  params: z.record(z.string(), z.unknown()).optional().describe('parameters of the strategy'),
  tape: z
    .union([tape, z.array(tape)], expected("'[SYMBOL=]FILE', { file, symbol, ... }, or a list of these"))
    .optional()
    .describe('recorded market: [SYMBOL=]FILE, or { file, symbol, ... } with its own settings, or a list of these'),
  depth: z
    .union(
      [depth, z.array(depth)],
      expected(
        "'SYMBOL=FILE', { file, symbol, ... }, or a list of these (for the size of simulated levels use 'ladder')",
      ),
    )
    .optional()
    .describe('recorded order book or quotes of a market: SYMBOL=FILE, or { file, symbol, ... }, or a list of these'),
  ...reading,
  credit: z
    .record(z.string(), z.string())
    .optional()
    .describe('initial balances, a decimal string by asset (default: 10000 of the quote asset)'),
  ...terms,
  bounds: z
    .boolean()
    .optional()
    .describe('if a resting order filled, rerun with liquidity models that bound the result (default)'),
  out: z.string().optional().describe('directory for the files of the run'),
  force: z.boolean().optional().describe('overwrite an earlier backtest in that directory'),
  db: z.string().optional().describe('store (SQLite file) to save the run in, such as papertape.db'),
  ledger: z.boolean().optional().describe('count the run in the ledger of trials of that store (default)'),
  json: z.boolean().optional().describe('print the report as one line of JSON'),
  quiet: z.boolean().optional().describe('print only errors'),
  turnLimit: turnLimitForm.schema.optional().describe(TURN_LIMIT_WORDS),
})

/** JSON Schema of a config file, as `config.schema.json` has it for editors. */
export const configJsonSchema = (): object => ({
  ...z.toJSONSchema(backtestConfig, { io: 'input', target: 'draft-7' }),
  title: 'papertape.config.json',
})

export type TapeConfig = string | ({ readonly file: string } & GivenReading)

/** Terms of the run stand under their keys, each in its form. */
export interface BacktestConfig extends GivenReading {
  readonly [key: string]: unknown
  readonly strategy?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly tape?: TapeConfig | readonly TapeConfig[] | undefined
  readonly depth?: TapeConfig | readonly TapeConfig[] | undefined
  /** Decimal strings by asset. */
  readonly credit?: Readonly<Record<string, string>> | undefined
  readonly bounds?: boolean | undefined
  readonly out?: string | undefined
  readonly force?: boolean | undefined
  readonly db?: string | undefined
  readonly ledger?: boolean | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  /** Seconds of the machine that one turn of the strategy, or its loading, may take. */
  readonly turnLimit?: TurnLimit | undefined
}

/**
 * Checks a config that came from a file.
 *
 * @throws {InputError} at the first key that is unknown or has the wrong form
 */
export function checkConfig(where: string, value: unknown): BacktestConfig {
  const parsed = backtestConfig.safeParse(value)
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  if (first === undefined) throw new InputError(where, 'not a config')
  const issue = innermost(first)
  const place = [where, ...issue.path].join(' ')
  throw issue.code === 'unrecognized_keys'
    ? unknownKey(place, issue.keys[0] ?? '', keysAt(issue.path))
    : new InputError(place, issue.message)
}

type Issue = z.core.$ZodIssue

/**
 * Of a union, what the form that fits furthest has to say; the union itself when none goes into the value. An unknown key says
 * more than the key that is missing because of it.
 */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map((each) => innermost({ ...each, path: [...issue.path, ...each.path] }))
  const depth = ({ code, path }: Issue): number => path.length + (code === 'unrecognized_keys' ? 2 : 0)
  return inner.reduce<Issue>((best, each) => (depth(each) > depth(best) ? each : best), issue)
}

function keysAt([top]: readonly PropertyKey[]): readonly string[] {
  if (top === undefined) return Object.keys(backtestConfig.shape)
  if (top === 'depth') return Object.keys(depthFile.shape)
  return Object.keys(top === 'limits' ? rateLimits.shape : tapeFile.shape)
}

function unknownKey(where: string, key: string, known: readonly string[]): InputError {
  return new InputError(where, `unknown key '${key}'${nearestNameHint(key, known)}`)
}
