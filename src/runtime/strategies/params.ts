/**
 * A strategy's parameters: what it has, and values read by its schema.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { jsonFault } from '../../domain/json-fault.ts'
import { setting } from '../../domain/setting-name.ts'
import { nearestName, nearestNameHint } from '../../domain/nearest-name.ts'
import type { Strategy } from '../../strategy/strategy.ts'

/** One parameter, for a help text. */
export interface ParamInfo {
  readonly name: string
  /** As in JSON Schema, or the allowed values. */
  readonly type: string
  readonly description: string
  /** Undefined when it must be given. */
  readonly defaultValue: string | undefined
  readonly isRequired: boolean
}

/** Parameters as they were given: as text from the command line, as JSON from a file. The text wins. */
export interface GivenParams {
  readonly texts: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, unknown>>
  /** Fills the parameter `symbol`, when the strategy has one and it is not given. */
  readonly symbol: string
}

export type ParamValues = Readonly<Record<string, unknown>>

interface JsonProperty {
  /** Several for one that may be null. */
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly default?: unknown
}

interface JsonObjectSchema {
  readonly properties?: Readonly<Record<string, JsonProperty>>
  readonly required?: readonly string[]
}

export function paramInfos(strategy: Strategy): readonly ParamInfo[] {
  const { properties = {}, required = [] } = jsonSchemaOf(strategy)
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: (property.enum?.map(String) ?? typesOf(property)).join(' | ') || 'any',
    description: property.description ?? '',
    defaultValue: property.default === undefined ? undefined : JSON.stringify(property.default),
    isRequired: required.includes(name),
  }))
}

/** @throws {InputError} for a parameter that the strategy does not have or that its schema refuses */
export function readParams(strategy: Strategy, given: GivenParams): ParamValues {
  const { properties = {} } = jsonSchemaOf(strategy)
  const parsed = strategy.params.safeParse(inputOf(strategy, given), { reportInput: true })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path ?? []
  throw new InputError(
    setting(['params', ...path].join('.')),
    issue === undefined
      ? 'not valid for this strategy'
      : issueText(issue, properties, path.length === 1 ? String(path[0]) : undefined),
  )
}

/** Names of the parameters that a strategy has. */
export const paramNames = (strategy: Strategy): readonly string[] =>
  Object.keys(jsonSchemaOf(strategy).properties ?? {})

/** What the schema is to read. @throws {InputError} for a parameter that the strategy does not have */
function inputOf(strategy: Strategy, { texts, values, symbol }: GivenParams): ParamValues {
  const { properties = {} } = jsonSchemaOf(strategy)
  const names = Object.keys(properties)
  for (const name of [...Object.keys(texts), ...Object.keys(values)]) {
    if (!names.includes(name)) throw new InputError(setting(`params.${name}`), unknownParam(strategy, name, names))
  }
  for (const [name, value] of Object.entries(values)) {
    const fault = value === undefined ? undefined : jsonFault(value)
    if (fault !== undefined) throw new InputError(setting(`params.${name}`), `expected JSON, got ${fault}`)
  }
  const read = Object.entries(texts).map(([name, text]) => [name, valueOf(name, text, properties[name] ?? {})] as const)
  const symbols = names.includes('symbol') ? { symbol } : {}
  return { ...symbols, ...values, ...Object.fromEntries(read) }
}

/**
 * The parameters in the form in which a run tells them, so that it can be run again: as the schema made them, or as
 * they were given where it would make something else of what it made, such as a number of a text.
 */
export function toldParams(strategy: Strategy, given: GivenParams, params: ParamValues): ParamValues {
  if (Object.values(params).some((value) => value !== undefined && jsonFault(value) !== undefined)) {
    return inputOf(strategy, given)
  }
  const text = JSON.stringify(params)
  const again = strategy.params.safeParse(JSON.parse(text))
  return again.success && JSON.stringify(again.data) === text ? params : inputOf(strategy, given)
}

type Issue = z.core.$ZodIssue

/**
 * In our words where we know more than the schema says.
 *
 * @param name  of the parameter, where the issue is of it as a whole
 */
function issueText(issue: Issue, properties: Readonly<Record<string, JsonProperty>>, name: string | undefined): string {
  const input: unknown = 'input' in issue ? issue.input : undefined
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String)
    const got = typeof input === 'string' ? `, got '${input}'${nearestNameHint(input, known)}` : ''
    return `expected ${known.length === 1 ? '' : 'one of '}${known.join(', ')}${got}`
  }
  if (name === undefined || issue.code !== 'invalid_type' || input !== undefined) return issue.message
  const { description, type } = properties[name] ?? {}
  const what = [description, type === undefined ? undefined : `(${[type].flat().join(' or ')})`]
    .filter(Boolean)
    .join(' ')
  return `is required because it has no default${what === '' ? '' : `: ${what}`}`
}

function jsonSchemaOf(strategy: Strategy): JsonObjectSchema {
  return z.toJSONSchema(strategy.params, { io: 'input', unrepresentable: 'any' }) as JsonObjectSchema
}

const unknownParam = (strategy: Strategy, name: string, names: readonly string[]): string =>
  unknownParamText(strategy.name, name, names)

/** @param names  of the parameters that the strategy has */
export function unknownParamText(strategy: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean '${nearest}'?`
  return `strategy '${strategy}' has no such parameter; ${hint}`
}

/** A text of the command line as the value that the schema wants. */
function valueOf(name: string, text: string, property: JsonProperty): unknown {
  const types = typesOf(property)
  if (types.includes('null') && text === 'null') return null
  if (types.includes('string')) return text
  if (types.includes('integer') || types.includes('number')) {
    if (/^-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?$/i.test(text)) return Number(text)
    throw new InputError(setting(`params.${name}`), `expected a number, got '${text}'`)
  }
  if (types.includes('boolean')) {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new InputError(setting(`params.${name}`), `expected true or false, got '${text}'`)
  }
  return jsonOrText(text)
}

const typesOf = ({ type = [] }: JsonProperty): readonly string[] => (typeof type === 'string' ? [type] : type)

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
