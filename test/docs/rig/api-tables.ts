/**
 * Tables of docs/api.md, generated from the docstrings of the strategy API.
 *
 * The first cell of a header names the source: a declaration such as `OwnOrder`, or a group of functions of the
 * context.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const SOURCE = join(import.meta.dirname, '../../../src')
const FILES = [
  ...readdirSync(join(SOURCE, 'strategy'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `strategy/${name}`),
  ...['domain/market.ts', 'domain/refusal.ts'],
]

type Declaration = ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration

const declarations = new Map<string, Declaration>()
/** Functions of the context that are also exports, by name. */
const functions = new Map<string, { readonly doc: ts.Node; readonly call: ts.SignatureDeclaration }>()

for (const file of FILES) {
  const text = readFileSync(join(SOURCE, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  for (const node of source.statements) {
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      if (node.name !== undefined) declarations.set(node.name.text, node)
    } else if (ts.isVariableStatement(node) && /\/(?:orders|targets|waiting)\.ts$/.test(file)) {
      const [{ name, initializer } = {}] = node.declarationList.declarations
      const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
      if (isExported && name !== undefined && initializer !== undefined && ts.isArrowFunction(initializer))
        functions.set(name.getText(), { doc: node, call: initializer })
    }
  }
}

interface Row {
  readonly name: string
  readonly signatures: readonly string[]
  readonly meaning: string
}

/** Members of the context: its own, those for rounding, and functions that create intents. */
const contextRows = (): readonly Row[] => [
  ...[...functions].map(([name, { doc, call }]) => ({
    name,
    signatures: [`${name}${callText(call)}`],
    meaning: meaningOf(doc),
  })),
  ...rowsOf('RoundingWords'),
  ...rowsOf('StrategyContext'),
]

export const contextNames = (): readonly string[] => contextRows().map(({ name }) => name)

/**
 * The page with its tables generated.
 *
 * @param groups  names of members of the context by the header of their table
 */
export const withTables = (page: string, groups: Readonly<Record<string, string>>): string => {
  const context = contextRows()
  return page.replaceAll(/^\| ([^|]+) \| Meaning \|\n(?:\|.*\n)+/gm, (_table, header: string) => {
    const names = groups[header]?.split(' ')
    const rows =
      names?.flatMap((name) => context.filter((row) => row.name === name)) ?? rowsOf(header.replaceAll('`', ''))
    return `| ${header} | Meaning |\n|---|---|\n${rows.map(rowText).join('')}`
  })
}

const rowText = ({ signatures, meaning }: Row): string => {
  const code = signatures.map((signature) => `\`${signature}\``).join('<br>')
  return `| ${code.replaceAll('|', '\\|')} | ${meaning.replaceAll('|', '\\|')} |\n`
}

function rowsOf(name: string): readonly Row[] {
  const declaration = declarations.get(name)
  if (declaration === undefined) throw new Error(`docs/api.md: no declaration of ${name} in the strategy API`)
  if (ts.isTypeAliasDeclaration(declaration)) return partsOf(declaration.type)
  const parents = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText()).filter((parent) => declarations.has(parent)),
  )
  const inherited = name === 'StrategyContext' ? [] : parents.flatMap(rowsOf)
  const own = [...declaration.members].flatMap(memberRow)
  const names = new Set(own.map((row) => row.name))
  return [
    ...inherited.filter((row) => ts.isInterfaceDeclaration(declaration) || !names.has(row.name)),
    ...own.map((row) => ({
      ...row,
      meaning: row.meaning === '' ? (inherited.find((each) => each.name === row.name)?.meaning ?? '') : row.meaning,
    })),
  ]
}

/** One row for each object type of a union, with its field names. */
function partsOf(union: ts.TypeNode): readonly Row[] {
  const names = ts.isUnionTypeNode(union) ? union.types.map((type) => type.getText()) : [union.getText()]
  return names.flatMap((name) => {
    const part = declarations.get(name)
    if (part === undefined || !ts.isInterfaceDeclaration(part)) return []
    const fields = part.members.filter(ts.isPropertySignature).map((field) => {
      const isType = field.name.getText() === 'type'
      return isType ? `type: ${field.type?.getText() ?? ''}` : field.name.getText()
    })
    return [{ name, signatures: [`{ ${fields.join(', ')} }`], meaning: meaningOf(part) }]
  })
}

function memberRow(member: ts.Node): readonly Row[] {
  const { name } = member as ts.NamedDeclaration
  const isHidden = ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => HIDDEN.has(kind)) === true
  if (name === undefined || ts.isPrivateIdentifier(name) || ts.isSetAccessor(member) || isHidden) return []
  const row = { name: name.getText(), meaning: meaningOf(member) }
  if (row.meaning.startsWith('Former name')) return []
  if (ts.isMethodDeclaration(member)) return [{ ...row, signatures: [`${row.name}${callText(member)}`] }]
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member) && !ts.isGetAccessor(member)) return []
  const { type } = member
  const arrow = !ts.isGetAccessor(member) && ts.isPropertyDeclaration(member) ? member.initializer : type
  if (arrow !== undefined && (ts.isFunctionTypeNode(arrow) || ts.isArrowFunction(arrow)))
    return [{ ...row, signatures: [`${row.name}${callText(arrow)}`] }]
  const overloads = type === undefined ? undefined : declarations.get(type.getText())
  const calls = overloads !== undefined && ts.isInterfaceDeclaration(overloads) ? overloads.members : undefined
  const signatures = calls?.filter(ts.isCallSignatureDeclaration).map((call) => `${row.name}${callText(call)}`) ?? []
  const mark = !ts.isGetAccessor(member) && member.questionToken !== undefined ? '?' : ''
  const typeText = shortened(type).replace(mark === '' ? /$^/ : / \| undefined$/, '')
  return [{ ...row, signatures: signatures.length > 0 ? signatures : [`${row.name}${mark}: ${typeText}`] }]
}

const HIDDEN = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.StaticKeyword])

const callText = ({ parameters, type }: ts.SignatureDeclaration): string =>
  `(${parameters
    .map(({ name, type: of, dotDotDotToken, questionToken, initializer }) => {
      const mark = questionToken === undefined && initializer === undefined ? '' : '?'
      const word = ts.isIdentifier(name) ? name.text : 'options'
      return `${dotDotDotToken === undefined ? '' : '...'}${word}${mark}: ${shortened(of)}`
    })
    .join(', ')}): ${shortened(type)}`

const shortened = (type: ts.TypeNode | undefined): string =>
  (type?.getText() ?? '').replaceAll(/\breadonly /g, '').replaceAll(/\s+/g, ' ')

/** The docstring on one line: its text, its parameters, its errors. */
function meaningOf(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  if (doc === undefined) return ''
  const tags = (doc.tags ?? []).flatMap((tag) => {
    const text = oneLine(ts.getTextOfJSDocComment(tag.comment))
    if (ts.isJSDocParameterTag(tag)) return [`\`${tag.name.getText()}\`: ${text}.`]
    return ts.isJSDocThrowsTag(tag)
      ? [`Throws ${tag.typeExpression?.getText().replaceAll(/[{}]/g, '') ?? ''} ${text}.`]
      : []
  })
  return [oneLine(ts.getTextOfJSDocComment(doc.comment)), ...tags].join(' ')
}

const oneLine = (text = ''): string => text.replaceAll(/\s+/g, ' ').trim()
