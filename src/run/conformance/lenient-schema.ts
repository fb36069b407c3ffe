/**
 * Answers against the schemas of our own service, leniently: a field that the specification does not know is no fault,
 * nor is a time with an offset.
 */
import { z } from 'zod'

type Issue = z.core.$ZodIssue

/** What a service may do beside what our own does. */
function isAllowed(issue: Issue, json: unknown): boolean {
  if (issue.code === 'unrecognized_keys') return true
  // Name and type of this field are not shown (decision 1).
  if (issue.path.at(-1) === 'isMaker') return true
  const isDateTime = issue.code === 'invalid_format' && issue.format === 'datetime'
  return isDateTime && z.iso.datetime({ offset: true }).safeParse(valueAt(json, issue.path)).success
}

const valueAt = (json: unknown, path: Issue['path']): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown> | undefined)?.[name], json)

/** The first fault with its path and what is there; undefined when there is none. */
export function schemaFault(schema: z.ZodType, json: unknown): string | undefined {
  const issue = schema.safeParse(json).error?.issues.find((each) => !isAllowed(each, json))
  if (issue === undefined) return undefined
  const value = valueAt(json, issue.path)
  return `${issue.path.join('.') || 'the response'}: ${issue.message}, found ${shownJson(value)}`
}

/** As much of a value as a sentence repeats. */
export const shownJson = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
