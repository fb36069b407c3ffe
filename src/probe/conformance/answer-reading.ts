/** Answers of a service as a check reads them: what is not as it must be is Broken, with what was seen. */
import { z } from 'zod'
import type { ProbedAnswer } from '../../adapter/live/probe/service-probe.ts'
import { pathPart } from '../../adapter/live/rest/rest-transport.ts'
import { type Decimal, toDecimal } from '../../domain/decimal.ts'
import { readError } from '../../wire/read-error.ts'
import { Broken, requireRule, NotShown } from './verdict.ts'

type Issue = z.core.$ZodIssue

/** True for a deviation that a service may have. */
function isAllowed(issue: Issue, json: unknown): boolean {
  if (issue.code === 'unrecognized_keys') return true
  // The specification does not show the name and type of this field (decision 1).
  if (issue.path.at(-1) === 'isMaker') return true
  const isDateTime = issue.code === 'invalid_format' && issue.format === 'datetime'
  return isDateTime && z.iso.datetime({ offset: true }).safeParse(valueAt(json, issue.path)).success
}

const valueAt = (json: unknown, path: Issue['path']): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown> | undefined)?.[name], json)

/** The first violation with its path and value; undefined if there is none. */
export function schemaFault(schema: z.ZodType, json: unknown): string | undefined {
  const issue = schema.safeParse(json).error?.issues.find((each) => !isAllowed(each, json))
  if (issue === undefined) return undefined
  const value = valueAt(json, issue.path)
  return `${issue.path.join('.') || 'the response'}: ${issue.message}, found ${shownJson(value)}`
}

/** A value shortened for a sentence. */
export const shownJson = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)

export type Row = Readonly<Record<string, unknown>>

export const tradesPath = (symbol: string): string => `/markets/${pathPart(symbol)}/trades?limit=500`

/** Status and code, for a sentence. */
export function reported({ status, json }: ProbedAnswer): string {
  const code = readError(json)?.code
  return code === undefined ? String(status) : `${status} ${code.slice(0, 60)}`
}

/** Method and path of a request, for a sentence. */
export const asked = ({ request: { method, path } }: ProbedAnswer): string => `${method} ${path}`

export function idOf(json: unknown): string | undefined {
  const { id, data } = (json ?? {}) as { readonly id?: unknown; readonly data?: { readonly id?: unknown } }
  const found = id ?? data?.id
  return typeof found === 'string' ? found : undefined
}

/** The JSON of an answer, or a field of it. @throws {Broken} for another status, or no JSON */
export function bodyOf(answer: ProbedAnswer, status: number, field?: string): unknown {
  if (answer.status !== status) throw new Broken(`${asked(answer)} is ${reported(answer)}, expected ${status}`)
  if (answer.json === undefined)
    throw new Broken(`${asked(answer)} is not JSON: ${JSON.stringify(answer.text.slice(0, 60))}`)
  if (field === undefined) return answer.json
  const value = (answer.json as Row | null)?.[field]
  if (value === undefined) throw new Broken(`${asked(answer)} has no '${field}'`)
  return value
}

/** @throws {Broken} for what is no array of objects */
export function rowsOf(json: unknown): readonly Row[] {
  if (Array.isArray(json) && json.every((row) => typeof row === 'object' && row !== null)) return json as readonly Row[]
  throw new Broken(`expected an array of objects, found ${shownJson(json)}`)
}

/** @throws {Broken} unless the answer is that error */
export function expectError(answer: ProbedAnswer, status: number, code: string): void {
  if (reported(answer) === `${status} ${code}`) return
  throw new Broken(`${asked(answer)} is ${reported(answer)}, expected ${status} ${code}`)
}

/** @throws {Broken} for what is no decimal string */
export function decimalIn(value: unknown): Decimal {
  if (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value)) return toDecimal(value)
  throw new Broken(`expected a decimal string, found ${shownJson(value)}`)
}

/** @throws {Broken} for the first row that violates the schema, and NotShown without rows */
export function checkRows(rows: readonly Row[], schema: z.ZodType, what: string): void {
  for (const [index, row] of rows.entries()) {
    const fault = schemaFault(schema, row)
    if (fault !== undefined) throw new Broken(`${what} ${index + 1}: ${fault}`)
  }
  if (rows.length === 0) throw new NotShown(`no ${what} was returned`)
}

/** @throws {Broken} unless each number is at most the one before */
export function checkFalling(values: readonly number[], what: string): void {
  const at = values.findIndex((value, index) => value > (values[index - 1] ?? Number.POSITIVE_INFINITY))
  requireRule(at < 0, () => `${what} ${at + 1} is newer than the one before it`)
  if (values.length < 2) throw new NotShown(`fewer than two were returned`)
}
