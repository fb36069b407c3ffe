/**
 * An expectation: a backtest by its command line, all that it depends on, and the figures that it had.
 *
 * Invariant: the same run gives the same text, byte for byte. Except for `command` and `figures` its fields are those
 * of
 * `run.json`, so that both can be compared as two runs are.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { duplicateKey, jsonKeys } from '../../domain/json-keys.ts'
import type { RunReport } from '../run/run-report.ts'
import { figuresOf, TOLERANCE } from './expected-figures.ts'

const fields = z.record(z.string(), z.unknown())
const recording = z.looseObject({ symbol: z.string(), sha256: z.string() })

const schema = z.strictObject({
  /** Arguments after the name of the program. */
  command: z.array(z.string()).min(1),
  version: z.string(),
  strategy: z.strictObject({ name: z.string(), sha256: z.string().nullable() }),
  params: fields,
  tapes: z.array(recording),
  books: z.array(recording).optional(),
  series: z.array(z.looseObject({ name: z.string(), sha256: z.string() })).optional(),
  config: fields,
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256: and 64 hexadecimal digits'),
  figures: z.record(
    z.string(),
    z.strictObject({
      value: z.union([z.number(), z.string(), z.null()], 'expected a number, a decimal string, or null'),
      tolerance: z.string().regex(TOLERANCE, 'expected a tolerance such as "0.5" or "1%"'),
    }),
  ),
})

export type Expectation = z.output<typeof schema>

/** @param chosen  tolerance by figure */
export function expectationOf(
  command: readonly string[],
  report: RunReport,
  chosen: ReadonlyMap<string, string>,
): Expectation {
  const { version, strategy, params, tapes, books, series, config, digest } = report
  return {
    command: [...command],
    version,
    strategy: { name: strategy.name, sha256: strategy.sha256 },
    params: { ...params },
    tapes: tapes.map(({ symbol, file, rows, sha256, reading, gaps }) => ({
      symbol,
      file,
      rows,
      sha256,
      reading,
      ...(gaps !== undefined && { gaps: { file: gaps.file, sha256: gaps.sha256 } }),
    })),
    ...(books !== undefined && {
      books: books.map(({ symbol, kind, file, rows, sha256, reading }) => ({
        symbol,
        kind,
        file,
        rows,
        sha256,
        reading,
      })),
    }),
    ...(series !== undefined && {
      series: series.map(({ name, file, rows, sha256 }) => ({ name, file, rows, sha256 })),
    }),
    config: { ...config },
    digest,
    figures: figuresOf(report, chosen),
  }
}

/** The same expectation of a later run: the same command and the same figures, with their values now. */
export const renewed = ({ command, figures }: Expectation, report: RunReport): Expectation =>
  expectationOf(
    command,
    report,
    new Map(Object.entries(figures).map(([name, { tolerance }]) => [name, tolerance] as const)),
  )

export const expectationText = (expectation: Expectation): string => `${JSON.stringify(expectation, undefined, 2)}\n`

/**
 * @param file  names it in errors
 * @throws {InputError} naming the line of the first fault
 */
export function readExpectation(file: string, text: string): Expectation {
  const json = parsed(file, text)
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const { path = [], message = 'is not an expectation' } = issue ?? {}
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const line = lineOf(text, unknown === undefined ? path : [...path, unknown])
  const place = [line === undefined ? file : `${file}:${line}`, path.join('.')].filter(Boolean).join(' ')
  throw new InputError(place, unknown === undefined ? message : `unknown key '${unknown}'`)
}

function parsed(file: string, text: string): unknown {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON'
    const [, line] = /\(line (\d+) /.exec(why) ?? []
    const place = line === undefined ? file : `${file}:${line}`
    throw new InputError(place, `is not JSON: ${why}; restore it, or save it again`, { cause: error })
  }
  const twice = duplicateKey(text)
  if (twice === undefined) return json
  throw new InputError(`${file}:${twice.line}`, `the key '${twice.key}' appears twice`)
}

/** Line of the innermost key of a path that the text has. */
function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  const lines = new Map(Array.from(jsonKeys(text), ({ path: outer, key, line }) => [[...outer, key].join('.'), line]))
  for (let length = path.length; length > 0; length -= 1) {
    const line = lines.get(path.slice(0, length).join('.'))
    if (line !== undefined) return line
  }
  return undefined
}
