/**
 * Messages use plain words: no text in the source has a word of the list in rig/plain-english.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { wordFaultsOf } from './rig/plain-english.ts'

const PROJECT = join(import.meta.dirname, '../..')

/** Reviewed texts that use a word of the list in its plain meaning, or are SQL. */
const ALLOWED = [
  ...['to tell whether', 'to tell a plateau from'],
  ...['FROM beside', 'INTO beside', 'TABLE beside', 'TABLE IF NOT EXISTS beside'],
]

interface Text {
  /** File and line. */
  readonly place: string
  readonly text: string
}

/** String literals and parts of templates that have two words or more. */
function textsIn(file: string): Text[] {
  const source = ts.createSourceFile(file, readFileSync(join(PROJECT, file), 'utf8'), ts.ScriptTarget.Latest)
  const texts: Text[] = []
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isText && /\w \w/.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      texts.push({ place: `${file}:${line + 1}`, text: node.text.replaceAll(/\s+/g, ' ') })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

const faultsOf = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ place, text }) => wordFaultsOf([text], ALLOWED).map((fault) => `${place} ${fault}`))

it('no message has a word of the list', () => {
  const files = ['src', 'pages', 'strategies', 'templates'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const texts = files.filter((file) => /\.(?:tsx?|m?js)$/.test(file)).flatMap(textsIn)
  expect(texts.length).toBeGreaterThan(2_000)
  expect(faultsOf(texts)).toEqual([])
})

it('a word of the list is found', () => {
  const texts = ['the index tells nothing', 'too little data to tell whether', 'the index is empty']
  expect(faultsOf(texts.map((text) => ({ place: 'x.ts:1', text })))).toHaveLength(1)
})
