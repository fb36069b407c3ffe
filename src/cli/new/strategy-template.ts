/**
 * A first strategy and its test as text, made of the ones in `templates/`, which are compiled and run as they are.
 *
 * Invariant: they hold no types of their own, so that they are JavaScript once the names of files in them end in `.js`.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Name of the strategy in the templates. */
export const TEMPLATE_NAME = 'my-strategy'

/** A file of a project: its path from the project's folder, with `/` between folders, and its text. */
export interface ProjectFile {
  readonly path: string
  readonly text: string
}

const TEMPLATES = new URL('../../../templates/', import.meta.url)

export const templateText = (name: string): string => readFileSync(fileURLToPath(new URL(name, TEMPLATES)), 'utf8')

export type Language = 'typescript' | 'javascript'

/** File extension per language. */
export const EXTENSION: Readonly<Record<Language, string>> = { typescript: 'ts', javascript: 'js' }

/** A text of the templates for a strategy of another name, in a language. */
export const templateFor = (text: string, name: string, language: Language): string =>
  text
    .replaceAll(TEMPLATE_NAME, name)
    .replaceAll(new RegExp(`\\b${name}\\.ts\\b`, 'g'), `${name}.${EXTENSION[language]}`)

/** The strategy, then its test. */
export function strategyFiles(name: string, language: Language): readonly [ProjectFile, ProjectFile] {
  const file = (folder: string, ending: string): ProjectFile => ({
    path: `${folder}/${name}${ending}.${EXTENSION[language]}`,
    text: templateFor(templateText(`${folder}/${TEMPLATE_NAME}${ending}.ts`), name, language),
  })
  return [file('strategies', ''), file('test', '.test')]
}

/** The kinds of files that `papertape new` writes. */
export const NEW_KINDS = ['strategy'] as const
