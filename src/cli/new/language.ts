/**
 * The language in which files of a project are written.
 */
export type Language = 'typescript' | 'javascript'

export const EXTENSION: Readonly<Record<Language, string>> = { typescript: 'ts', javascript: 'js' }
