/**
 * Small changes of a source, one at a time, as a slip of the hand would make them: what a proof of the exchange must
 * notice.
 *
 * Left alone are imports, types, numbers behind `??`, and what only reports of a bug: what is thrown, and the arguments
 * of `invariant`.
 */
import ts from 'typescript'

export interface Mutation {
  /** Of what is replaced, in characters. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** From 1. */
  readonly line: number
  /** `a < b -> a <= b`. */
  readonly words: string
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '+',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
  '>>': '>>>',
  '>>>': '>>',
  '&': '|',
  '|': '&',
}

/** Every mutation of a source, in the order of its text. */
export function mutationsOf(file: string, source: string): readonly Mutation[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true)
  const found: Mutation[] = []
  const replace = (node: ts.Node, replacement: string): void => {
    const [start, end] = [node.getStart(tree), node.getEnd()]
    const line = tree.getLineAndCharacterOfPosition(start).line + 1
    const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60)
    found.push({ start, end, replacement, line, words: `${short(node.getText(tree))} -> ${short(replacement)}` })
  }
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return
    mutate(node, tree, replace)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

export const mutated = (source: string, { start, end, replacement }: Mutation): string =>
  source.slice(0, start) + replacement + source.slice(end)

function isLeftAlone(node: ts.Node): boolean {
  // What an index beyond an array would give, which is there for the compiler alone.
  const { parent } = node
  if (ts.isNumericLiteral(node) && ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '??') return true
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isThrowStatement(node)) return true
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  return ts.isCallExpression(node) && node.expression.getText() === 'invariant'
}

function mutate(node: ts.Node, tree: ts.SourceFile, replace: (node: ts.Node, replacement: string) => void): void {
  const text = (part: ts.Node): string => part.getText(tree)
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node
    const other = OPERATORS[text(operatorToken)]
    if (other !== undefined) replace(node, `${text(left)} ${other} ${text(right)}`)
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (/^[-!]/.test(text(node))) replace(node, text(node.operand))
  } else if (ts.isNumericLiteral(node)) {
    replace(node, `${Number(node.text) + 1}`)
  } else if (ts.isBigIntLiteral(node)) {
    replace(node, `(${text(node)} + 1n)`)
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    replace(node, text(node) === 'true' ? 'false' : 'true')
  } else if (ts.isConditionalExpression(node)) {
    replace(node, `${text(node.condition)} ? ${text(node.whenFalse)} : ${text(node.whenTrue)}`)
  } else if (ts.isIfStatement(node)) {
    replace(node.expression, 'true')
    replace(node.expression, 'false')
  } else if (ts.isExpressionStatement(node) && !isLeftAlone(node.expression) && !text(node).startsWith('super')) {
    replace(node, ';')
  }
}
