/** Lenient validation of answers against the schemas of the emulator: unknown fields and time offsets are allowed. */
import { z } from 'zod'

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
