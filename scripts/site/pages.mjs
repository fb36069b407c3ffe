/**
 * The pages of the site, by what they are made of and where they stand in its navigation.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} SitePage
 * @property {string} source    path in the project, or the name of what it was made of
 * @property {string} url       path in the site
 * @property {string} group     of the navigation
 * @property {string} [label]   in the navigation; default: its first heading; '' for one that is not listed there
 * @property {string} markdown
 */

/** Guides in the order of the navigation; one that is missing here comes last. */
const GUIDES =
  'getting-started first-strategy how-it-works command-line from-a-program client python streams strategies api indicators data liquidity statistics report sweeps what-if testing configuration portfolio errors live paper risk operations emulator arena mcp glossary'

/** Documents of `docs` that have a place of their own. */
const PLACED = ['README', 'architecture']

/** Folders that a link may name, and the page that stands for each. */
export const FOLDERS = {
  docs: 'guides.html',
  'docs/decisions': 'decisions/index.html',
  data: 'tapes.html',
  examples: 'examples/index.html',
  strategies: 'strategies/index.html',
}

/**
 * @param {string} root  of the project
 * @returns {readonly SitePage[]}
 */
export function sitePages(root) {
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')
  /** @type {(source: string, url: string, group: string, label?: string) => SitePage} */
  const page = (source, url, group, label) => ({
    ...{ source, url, group, markdown: read(source) },
    ...(label === undefined ? {} : { label }),
  })
  const ordered = GUIDES.split(' ')
  const unordered = readdirSync(join(root, 'docs'))
    .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
    .filter((name) => ![...ordered, ...PLACED].includes(name))
  const guides = [...ordered, ...unordered].map((name) => page(`docs/${name}.md`, `${name}.html`, 'Guides'))
  return [
    page('README.md', 'index.html', 'Begin', 'Overview'),
    page('docs/README.md', 'guides.html', 'Begin'),
    page('examples/README.md', 'examples/index.html', 'Begin'),
    listOfStrategies(root),
    ...guides,
    page('docs/architecture.md', 'architecture.html', 'Inside'),
    page('docs/specification/trading-service.md', 'specification/trading-service.html', 'Inside', 'Specification'),
    page('docs/specification/decisions.md', 'specification/decisions.html', 'Inside', 'What it leaves open'),
    page('docs/specification/tests.md', 'specification/tests.html', 'Inside'),
    ...decisions(root),
    page('bench/README.md', 'benchmarks.html', 'Inside'),
    page('data/README.md', 'tapes.html', 'Inside'),
    page('CONTRIBUTING.md', 'contributing.html', 'Inside'),
    page('CHANGELOG.md', 'changelog.html', 'Inside'),
    ...['docs', 'examples', 'strategies'].flatMap((folder) => sources(root, folder)),
  ]
}

/**
 * @param {string} root
 * @returns {readonly SitePage[]}
 */
function decisions(root) {
  const folder = 'docs/decisions'
  const pages = readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const markdown = readFileSync(join(root, folder, file), 'utf8')
      return { source: `${folder}/${file}`, url: `decisions/${file.replace(/md$/, 'html')}`, file, markdown }
    })
  const rows = pages.map(({ file, markdown }) => `1. [${/^# (.*)$/m.exec(markdown)?.[1] ?? file}](${file})`)
  const markdown = `# Decisions\n\nDesign decisions and their reasons.\n\n${rows.join('\n')}\n`
  const list = { source: `${folder}/`, url: 'decisions/index.html', group: 'Inside', markdown }
  return [list, ...pages.map(({ source, url, markdown: text }) => ({ source, url, group: '', markdown: text }))]
}

/**
 * @param {string} root
 * @returns {SitePage}
 */
function listOfStrategies(root) {
  const rows = filesIn(root, 'strategies').map((file) => {
    const [, says = ''] =
      /\/\*\*\n \* ([^]*?)\n \*(?:\/|\n)/.exec(readFileSync(join(root, 'strategies', file), 'utf8')) ?? []
    return `- [\`${file}\`](${file}): ${says.replaceAll(/\n \* ?/g, ' ')}`
  })
  const intro = 'These strategies are included. Run one by its name, or copy its file.'
  const markdown = `# Ready strategies\n\n${intro}\n\n${rows.join('\n')}\n`
  return { source: 'strategies/', url: 'strategies/index.html', group: 'Begin', markdown }
}

/**
 * A page for each file of code, so that a link to it leads somewhere.
 *
 * @param {string} root
 * @param {string} folder
 * @returns {readonly SitePage[]}
 */
function sources(root, folder) {
  return filesIn(root, folder).map((file) => {
    const text = readFileSync(join(root, folder, file), 'utf8')
    const code = file.endsWith('.ipynb') ? notebookText(text) : `\`\`\`${file.split('.').at(-1) ?? ''}\n${text}\`\`\`\n`
    const markdown = `# ${file}\n\n${code}`
    return { source: `${folder}/${file}`, url: `${folder}/${file}.html`, group: '', markdown }
  })
}

/** @param {string} text  of a notebook */
function notebookText(text) {
  /**
   * @type {{ cells: readonly { cell_type: string, source: readonly string[], outputs?: readonly { text?: readonly
   * string[] }[] }[] }}
   */
  const { cells } = JSON.parse(text)
  return cells
    .map(({ cell_type: type, source, outputs = [] }) => {
      const body = source.join('').replaceAll(/^# /gm, '## ')
      if (type !== 'code') return body
      const printed = outputs.flatMap((output) => output.text ?? []).join('')
      return `\`\`\`python\n${source.join('')}\n\`\`\`${printed === '' ? '' : `\n\n\`\`\`\n${printed}\`\`\``}`
    })
    .join('\n\n')
}

/**
 * @param {string} root
 * @param {string} folder
 */
const filesIn = (root, folder) =>
  readdirSync(join(root, folder)).filter((file) => !file.endsWith('.md') && statSync(join(root, folder, file)).isFile())
