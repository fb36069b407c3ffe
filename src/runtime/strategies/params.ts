/** Parameters of a strategy: their list, and values parsed by its schema. */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { jsonFault } from '../../domain/json-fault.ts'
import { setting } from '../../domain/setting-name.ts'
import { nearestName, nearestNameHint } from '../../domain/nearest-name.ts'
import type { Strategy } from '../../strategy/strategy.ts'

/** One parameter, for help texts. */
export interface ParamInfo {
  readonly name: string
  /** JSON Schema type, or the allowed values. */
  readonly type: string
  readonly description: string
  /** Undefined if it is required. */
  readonly defaultValue: string | undefined
  readonly isRequired: boolean
}

/** Given parameters: text from the command line, JSON from a file. Text takes precedence. */
export interface GivenParams {
  readonly texts: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, unknown>>
  /** Default of the parameter `symbol`, if the strategy has one. */
  readonly symbol: string
}

export type ParamValues = Readonly<Record<string, unknown>>

interface JsonProperty {
  /** Several for a nullable one. */
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

/** @throws {InputError} for an unknown parameter, or one that the schema refuses */
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

/** `fast=12 slow=50`. */
export const paramsText = (params: ParamValues): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')

/** Names of a strategy's parameters. */
export const paramNames = (strategy: Strategy): readonly string[] =>
  Object.keys(jsonSchemaOf(strategy).properties ?? {})

/** Input of the schema. @throws {InputError} for an unknown parameter */
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
 * Parameters as recorded for repeating a run: as parsed, or as given if parsing the parsed value would change it again
 * (a schema with transforms is not idempotent).
 */
export function reportedParams(strategy: Strategy, given: GivenParams, params: ParamValues): ParamValues {
  if (Object.values(params).some((value) => value !== undefined && jsonFault(value) !== undefined)) {
    return inputOf(strategy, given)
  }
  const text = JSON.stringify(params)
  const again = strategy.params.safeParse(JSON.parse(text))
  return again.success && JSON.stringify(again.data) === text ? params : inputOf(strategy, given)
}

type Issue = z.core.$ZodIssue

/**
 * Our own text if it is more precise than the schema's.
 * @param name  of the parameter, if the issue concerns it as a whole
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

/** @param names  of the strategy's parameters */
export function unknownParamText(strategy: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? `it has ${names.join(', ') || 'none'}` : `did you mean '${nearest}'?`
  return `strategy '${strategy}' has no such parameter; ${hint}`
}

/** Converts text of the command line to the type that the schema expects. */
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
