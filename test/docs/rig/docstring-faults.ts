/**
 * What is missing from the docstrings of what TypeScript files export, as an editor would show them.
 *
 * The rule: every exported name, every public member of it and its constructor have a docstring, their own or that of
 * the interface or base class they come from. What is a number, gives one or takes one (a double, an integer, a
 * Decimal, a column) names a unit as well, in words or by a tag, or names in backquotes a member next to it that does.
 * A member of a literal type, such as the `type` of a union, says itself what it is. The words are plain: see
 * plain-english.ts.
 */
import { relative } from 'node:path'
import ts from 'typescript'
import { wordFaultsOf } from './plain-english.ts'

/** Words for a unit, or for what is counted. */
const UNITS = [
  ...['milliseconds', 'seconds', 'ticks?', 'lots?', 'clips', '(?:base|quote) asset', 'units of', 'basis points'],
  ...[
    'digits',
    'fraction',
    'share of',
    'number of',
    'count of',
    '1 when',
    '\\d+-bit integer',
    'TCP port',
    'HTTP status',
  ],
]
const UNIT = new RegExp(`\\b(?:${UNITS.join('|')})\\b|\\bin \\[0, 1\\)|^@unit \\S`, 'im')

/** Decimals and columns of numbers are known by the names of their classes. */
const NUMBERS = /^(?:Decimal|[A-Z]\w+\d+Array)$/

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

interface Member {
  readonly name: string
  readonly place: ts.Node
  /** With its tags, as one text. */
  readonly doc: string
  readonly hasNumber: boolean
}

/** An exported name, and what is missing: `file:line name: fault`. */
export interface Documented {
  /** Of the file that exports it, as it was given. */
  readonly file: string
  readonly name: string
  readonly faults: readonly string[]
}

/** @param root  folder, with a slash behind it, in which what is ours is declared; places are relative to it */
export function documentedNames(files: readonly string[], root: string): readonly Documented[] {
  const program = ts.createProgram(files, OPTIONS)
  const reader = new DocstringReader(program.getTypeChecker(), root)
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    const names = source === undefined ? [] : reader.exportsOf(source)
    return names.map((symbol) => ({ file, name: symbol.name, faults: reader.faultsOf(symbol) }))
  })
}

class DocstringReader {
  readonly #checker: ts.TypeChecker
  readonly #root: string

  constructor(checker: ts.TypeChecker, root: string) {
    this.#checker = checker
    this.#root = root
  }

  exportsOf(source: ts.SourceFile): readonly ts.Symbol[] {
    const module = this.#checker.getSymbolAtLocation(source)
    return module === undefined ? [] : this.#checker.getExportsOfModule(module)
  }

  faultsOf(exported: ts.Symbol): readonly string[] {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = isAlias ? this.#checker.getAliasedSymbol(exported) : exported
    const members = this.#membersOf(symbol)
    return [...this.#member(symbol, symbol.name), ...members, ...this.#constructorsOf(symbol)].flatMap((member) => {
      const fault = faultOf(member, members)
      return fault === undefined ? [] : [`${this.#placeOf(member.place)} ${member.name}: ${fault}`]
    })
  }

  /** Public members of a class or an interface, or of each object type of a union. */
  #membersOf(symbol: ts.Symbol): readonly Member[] {
    const { Class, Interface, TypeAlias } = ts.SymbolFlags
    if ((symbol.flags & (Class | Interface | TypeAlias)) === 0) return []
    const objects = partsOf(this.#checker.getDeclaredTypeOfSymbol(symbol)).filter(isObject)
    return [...new Set(objects.flatMap((part) => this.#checker.getPropertiesOfType(part)))]
      .filter((member) => isPublic(member) && !isLiteral(this.#checker.getTypeOfSymbol(member)))
      .flatMap((member) => this.#member(member, `${symbol.name}.${member.name}`))
  }

  /** None for one that takes nothing. */
  #constructorsOf(symbol: ts.Symbol): readonly Member[] {
    if ((symbol.flags & ts.SymbolFlags.Class) === 0) return []
    const signatures = this.#checker.getTypeOfSymbol(symbol).getConstructSignatures()
    return signatures.flatMap((signature) => {
      const place = signature.getDeclaration()
      if (signature.parameters.length === 0 || !this.#isOurs(place)) return []
      const doc = docText(signature.getDocumentationComment(this.#checker), signature.getJsDocTags())
      return [{ name: `new ${symbol.name}`, place, doc, hasNumber: this.#takesNumber(signature) }]
    })
  }

  /** None for what is not ours. */
  #member(symbol: ts.Symbol, name: string): readonly Member[] {
    const place = symbol.declarations?.find((declaration) => this.#isOurs(declaration))
    if (place === undefined) return []
    const doc = docText(symbol.getDocumentationComment(this.#checker), symbol.getJsDocTags(this.#checker))
    return [{ name, place, doc, hasNumber: this.#hasNumber(symbol) }]
  }

  #hasNumber(symbol: ts.Symbol): boolean {
    const type = this.#checker.getTypeOfSymbol(symbol)
    const calls = partsOf(type).flatMap((part) => part.getCallSignatures())
    return isNumber(type) || calls.some((call) => isNumber(call.getReturnType()) || this.#takesNumber(call))
  }

  #takesNumber(signature: ts.Signature): boolean {
    return signature.parameters.some((parameter) => isNumber(this.#checker.getTypeOfSymbol(parameter)))
  }

  #isOurs(node: ts.Node): boolean {
    return node.getSourceFile().fileName.startsWith(this.#root)
  }

  #placeOf(node: ts.Node): string {
    const file = node.getSourceFile()
    return `${relative(this.#root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  }
}

function faultOf({ doc, hasNumber }: Member, beside: readonly Member[]): string | undefined {
  if (doc === '') return 'no docstring'
  const [word] = wordFaultsOf([doc.replaceAll(/`[^`]*`/g, '').replaceAll(/\s+/g, ' ')])
  if (word !== undefined) return word
  if (!hasNumber || UNIT.test(doc)) return undefined
  const named = [...doc.matchAll(/`(\w+)`/g)].map(([, name = '']) => `.${name}`)
  const hasUnit = beside.some((member) => UNIT.test(member.doc) && named.some((name) => member.name.endsWith(name)))
  return hasUnit ? undefined : 'no unit'
}

const docText = (comment: readonly ts.SymbolDisplayPart[], tags: readonly ts.JSDocTagInfo[]): string =>
  [ts.displayPartsToString([...comment]), ...tags.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)]
    .join('\n')
    .trim()

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])

const isObject = ({ flags }: ts.Type): boolean => (flags & ts.TypeFlags.Object) !== 0

const isLiteral = (type: ts.Type): boolean => type.isLiteral()

const isNumber = (type: ts.Type): boolean =>
  partsOf(type).some(
    (part) =>
      (part.flags & (ts.TypeFlags.Number | ts.TypeFlags.BigInt)) !== 0 ||
      (isObject(part) && NUMBERS.test(part.getSymbol()?.name ?? '')),
  )

const isPublic = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.every((declaration) => {
    const { Private, Protected } = ts.ModifierFlags
    const name = ts.getNameOfDeclaration(declaration)
    const isHidden = (ts.getCombinedModifierFlags(declaration) & (Private | Protected)) !== 0
    return !isHidden && (name === undefined || !ts.isPrivateIdentifier(name))
  })
