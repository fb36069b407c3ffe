/**
 * docs/configuration.md and config.schema.json match the schema in the code. `RENEW_DOCS=1 npx vitest run
 * test/docs/configuration.test.ts` writes them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkConfig, configJsonSchema } from '../../src/cli/config/backtest-config.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = join(PROJECT, 'docs/configuration.md')
const SCHEMA = join(PROJECT, 'config.schema.json')
const TYPES = join(PROJECT, 'src/strategy/project-config.ts')

interface Form {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly anyOf?: readonly Form[]
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
  readonly properties?: Readonly<Record<string, Form>>
  readonly items?: Form
  readonly pattern?: string
  readonly required?: readonly string[]
  readonly additionalProperties?: Form
}

const schema = configJsonSchema() as Form

function formText(form: Form): string {
  const { type, enum: names, anyOf, minimum, maximum, properties, items, pattern } = form
  if (form.const !== undefined) return `\`${JSON.stringify(form.const)}\``
  if (names !== undefined) return names.map((name) => `\`"${name}"\``).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(formText))].join(' or ')
  if (items !== undefined) return `list of ${formText(items)}`
  if (properties !== undefined) {
    const names = Object.keys(properties)
    return names.length > 4 ? `{ ${names[0] ?? ''}, ... }` : `{ ${names.join(', ')} }`
  }
  if (type === 'object') return 'object'
  if (type === 'string') return pattern === undefined ? 'string' : 'decimal string'
  const ends = [minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum]
  const range = ends.every((end) => end === undefined) ? '' : ` ${ends.map((end) => end ?? '').join(' to ')}`.trimEnd()
  return `${type ?? 'any'}${range.replace(/ to$/, ' or more')}`
}

const tableOf = (): string =>
  [
    '| Key | Type | Meaning |',
    '|---|---|---|',
    ...Object.entries(schema.properties ?? {}).map(
      ([key, form]) => `| \`${key}\` | ${formText(form)} | ${(form.description ?? '').replaceAll('|', '\\|')} |`,
    ),
  ].join('\n')

/** The page with its table generated from the code. */
function renewed(page: string): string {
  const from = page.indexOf('| Key |')
  const end = page.indexOf('\n\n', from)
  return `${page.slice(0, from)}${tableOf()}${page.slice(end)}`
}

/** The first JSON block of the page. */
const exampleIn = (page: string): unknown => JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '')

it('docs/configuration.md has every key, with its type and its meaning', () => {
  const page = readFileSync(PAGE, 'utf8')
  if (process.env.RENEW_DOCS !== undefined) writeFileSync(PAGE, renewed(page))
  else expect(page).toBe(renewed(page))
  const rows = tableOf().split('\n').slice(2)
  expect(rows.length).toBeGreaterThan(30)
  for (const row of rows) expect(row).toMatch(/^\| `\$?\w+` \| [^|]+ \| \S.* \|$/)
})

/** TypeScript of a form. */
function typeText(form: Form): string {
  const { type, enum: names, anyOf, properties, items } = form
  if (form.const !== undefined) return JSON.stringify(form.const)
  if (names !== undefined) return names.map((name) => JSON.stringify(name)).join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' | ')
  if (items !== undefined) return `readonly (${typeText(items)})[]`
  if (properties !== undefined) return `{ ${membersText(form)} }`
  if (type === 'object') return `Readonly<Record<string, ${typeText(form.additionalProperties ?? {})}>>`
  if (type === 'integer') return 'number'
  return type ?? 'unknown'
}

/** Members with their meaning. */
function membersText({ properties = {}, required = [] }: Form): string {
  return Object.entries(properties)
    .map(([key, each]) => {
      const said = each.description === undefined ? '' : commentOf(`${capital(each.description)}.`)
      return `${said}readonly ${key}${required.includes(key) ? '' : '?'}: ${typeText(each)}`
    })
    .join('\n')
}

/** Docstring in lines that fit at any depth. */
function commentOf(text: string): string {
  if (text.length <= 90) return `/** ${text} */\n`
  const lines = text.split(' ').reduce<readonly string[]>((all, word) => {
    const last = all.at(-1)
    if (last === undefined || last.length + word.length > 90) return [...all, word]
    return [...all.slice(0, -1), `${last} ${word}`]
  }, [])
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const SECTION_NAMES = ['backtest', 'live', 'paper', 'record']

/** The type of a config file, from its schema. */
async function typesOf({ properties = {} }: Form): Promise<string> {
  const sections = SECTION_NAMES.map((name) => {
    const own = properties[name]?.properties ?? {}
    const isShared = (key: string): boolean => JSON.stringify(own[key]) === JSON.stringify(properties[key])
    const picked = Object.keys(own).filter(isShared)
    const others = Object.fromEntries(Object.entries(own).filter(([key]) => !isShared(key)))
    const names = picked.map((key) => `'${key}'`).join(' | ')
    const type = `${capital(name)}Section`
    const above = picked.length === 0 ? '' : ` extends Pick<SharedSettings, ${names}>`
    return `/** Section \`${name}\` of a config file. */\nexport interface ${type}${above} { ${membersText({ properties: others })} }`
  })
  const shared = Object.fromEntries(Object.entries(properties).filter(([key]) => !SECTION_NAMES.includes(key)))
  const named = SECTION_NAMES.map((name) => {
    return `/** ${capital(properties[name]?.description ?? '')}. */\nreadonly ${name}?: ${capital(name)}Section`
  })
  const text = `/**
 * The type of a config file. Written by test/docs/configuration.test.ts from the schema of the config file; do not edit.
 */

/** Settings at the top of a config file. */
export interface SharedSettings { ${membersText({ properties: shared })} }

${sections.join('\n\n')}

/** Content of \`papertape.config.ts\`. */
export interface PapertapeConfig extends SharedSettings {
  ${named.join('\n')}
}

/** Returns its argument: the default export of \`papertape.config.ts\`, whose keys an editor completes and checks. */
export const defineConfig = (config: PapertapeConfig): PapertapeConfig => config
`
  const options = { parser: 'typescript', printWidth: 120, semi: false, singleQuote: true } as const
  return await format(text, options)
}

it('the type of a config file is that of the schema', async () => {
  const text = await typesOf(schema)
  if (process.env.RENEW_DOCS !== undefined) writeFileSync(TYPES, text)
  else expect(readFileSync(TYPES, 'utf8')).toBe(text)
})

it('config.schema.json is the schema of the code', async () => {
  const text = await format(JSON.stringify(configJsonSchema()), { parser: 'json', printWidth: 120 })
  if (process.env.RENEW_DOCS !== undefined) writeFileSync(SCHEMA, text)
  else expect(readFileSync(SCHEMA, 'utf8')).toBe(text)
})

describe('an editor with the schema and papertape agree', () => {
  const ofEditor = z.fromJSONSchema(JSON.parse(readFileSync(SCHEMA, 'utf8')) as z.core.JSONSchema.JSONSchema)
  const isTaken = (config: unknown): boolean => {
    try {
      checkConfig('papertape.config.json', config)
      return true
    } catch {
      return false
    }
  }

  it.each([
    [true, exampleIn(readFileSync(PAGE, 'utf8'))],
    [true, {}],
    [true, { tape: ['A_USD=a.csv', { file: 'b.csv', symbol: 'B_USD', pricePrecision: 2 }], limits: false }],
    [true, { limits: { general: 1, mutations: 1, windowSeconds: 1 }, turnLimit: 'off', maxOrder: '0.5' }],
    [true, { url: 'http://127.0.0.1:1/v1', live: { wait: '10m', atExit: 'keep' }, record: { symbols: ['A_USD'] } }],
    [false, { live: { waitt: '10m' } }],
    [false, { paper: { from: '2024-01-01' } }],
    [false, { stratgy: 'sma-cross' }],
    [false, { tape: [{ file: 'b.csv', symbl: 'B_USD' }] }],
    [false, { seed: '1' }],
    [false, { orderLatency: -1 }],
    [false, { printFilter: 'some' }],
    [false, { credit: { USD: 100 } }],
    [false, { maxOrder: '0' }],
    [false, ['sma-cross']],
  ])('%s: %j', (expected, config) => {
    expect([ofEditor.safeParse(config).success, isTaken(config)]).toEqual([expected, expected])
  })
})
