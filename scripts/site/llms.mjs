/**
 * The documents as text for language models: `llms.txt` names them (https://llmstxt.org), `llms-full.txt` has all of
 * them that a user needs, and the examples.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sitePages } from './pages.mjs'

/** Pages that only those who change papertape need. */
const INSIDE = 'Inside'

/** @typedef {import('./pages.mjs').SitePage} SitePage */

/**
 * Pages that are a document of their own, without the source files of examples and lists of files.
 *
 * @param {string} root  of the project
 */
const documents = (root) => sitePages(root).filter(({ group, source }) => group !== '' && source.endsWith('.md'))

/** @param {string} markdown */
const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1] ?? ''

/**
 * First sentence of the first paragraph, without links.
 *
 * @param {string} markdown
 */
function sentenceOf(markdown) {
  const paragraphs = markdown.replaceAll(/^```[^]*?^```$/gm, '').split(/\n{2,}/)
  const first = paragraphs.find((each) => /^[A-Z`a-z]/.test(each)) ?? ''
  const text = first.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

/**
 * @param {string} root  of the project
 * @returns {string}
 */
export function llmsText(root) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [first = ''] = /^## Your first strategy\n[^]*?(?=^## )/m.exec(readme) ?? []
  const all = documents(root)
  /** @type {(title: string, pages: readonly SitePage[]) => string} */
  const section = (title, pages) => {
    const rows = pages.map(({ source, markdown }) => `- [${titleOf(markdown)}](${source}): ${sentenceOf(markdown)}`)
    return `## ${title}\n\n${rows.join('\n')}\n`
  }
  const guides = all.filter(({ group }) => group !== INSIDE)
  return [
    `# papertape\n\n> ${sentenceOf(readme)}\n`,
    'The text of all guides in one file is `llms-full.txt`, which `npm run build` writes and the package has.\n',
    `${first.trimEnd()}\n`,
    section('Guides', guides),
    section(
      'Optional',
      all.filter(({ group }) => group === INSIDE),
    ),
  ].join('\n')
}

/**
 * @param {string} root  of the project
 * @returns {string}
 */
export function llmsFullText(root) {
  const examples = sitePages(root).filter(({ source }) => /^examples\/.*\.ts$/.test(source))
  const pages = [...documents(root).filter(({ group }) => group !== INSIDE), ...examples]
  return pages.map(({ source, markdown }) => `<!-- ${source} -->\n\n${markdown.trim()}\n`).join('\n')
}
