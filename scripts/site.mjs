/**
 * Builds the documentation as static pages: guides, decisions, specification, examples, and the reference of the
 * package.
 *
 * They need no server and no network. A link inside of them that leads nowhere, to a page or to a heading, is printed
 * by name, and then nothing is written.
 *
 * Usage: npm run site [-- DIRECTORY] (default: site). Exit code 1 for a dead link, 2 for a directory that holds
 * something else.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { SiteLinks } from './site/links.mjs'
import { renderMarkdown } from './site/markdown.mjs'
import { sitePages } from './site/pages.mjs'
import { referencePages } from './site/reference.mjs'
import { pageDocument } from './site/template.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const out = resolve(process.argv[2] ?? join(root, 'site'))
/** A site has it, and so a directory with it is one that may be written over. */
const MARK = 'search-index.js'

if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, MARK))) {
  console.error(`${out}: expected a directory that is empty or holds a site, found something else`)
  process.exit(2)
}

const reference = (await referencePages(root)).map(({ name, title, markdown }) => ({
  source: `reference/${name}.md`,
  url: `reference/${name === 'index' ? 'papertape' : name}.html`,
  group: 'Reference',
  label: title,
  markdown: markdown.replace(/^# .*$/m, `# ${title}`),
}))
const pages = [...sitePages(root), ...reference]
const links = new SiteLinks(pages)
const rendered = pages.map((page) => ({
  ...page,
  ...renderMarkdown(page.markdown, (href, isImage) => links.resolve(page, href, isImage)),
}))

const anchors = new Map(rendered.map(({ url, headings }) => [url, new Set(headings.map(({ id }) => id))]))
const pictures = [...links.pictures]
const missing = pictures.filter((path) => !existsSync(join(root, path)))
const faults = [...links.faults(anchors), ...missing.map((path) => `${path}: there is no such picture`)]
if (faults.length > 0) {
  console.error(faults.join('\n'))
  console.error(`${faults.length} dead links: nothing was written`)
  process.exit(1)
}

const entries = rendered
  .filter(({ group }) => group !== '')
  .map(({ url, group, label, title }) => ({ url, group, label: label ?? title }))
const sections = rendered.flatMap(({ url, title, group, sections: parts }) =>
  parts.map(({ heading, id, text }) => ({
    ...{ page: title, heading: heading || title, url: id === '' ? url : `${url}#${id}` },
    isGuide: group === 'Guides' || group === 'Begin',
    // Of what is said of a name the first words are enough.
    text: group === 'Reference' ? text.slice(0, 300) : text,
  })),
)

rmSync(out, { recursive: true, force: true })
mkdirSync(join(out, 'pictures'), { recursive: true })
for (const page of rendered) {
  mkdirSync(dirname(join(out, page.url)), { recursive: true })
  writeFileSync(join(out, page.url), pageDocument(page, entries))
}
for (const path of pictures) copyFileSync(join(root, path), join(out, 'pictures', basename(path)))
writeFileSync(join(out, MARK), `globalThis.papertapeSections = ${JSON.stringify(sections)}\n`)
await build({
  absWorkingDir: root,
  entryPoints: ['pages/site/site.ts', 'pages/site/site.css'],
  outdir: out,
  bundle: true,
  minify: true,
  // A module would not load from a file.
  format: 'iife',
  target: 'es2022',
  tsconfig: join(root, 'pages/tsconfig.json'),
  logLevel: 'warning',
})
console.log(`${rendered.length} pages, ${sections.length} sections: ${join(out, 'index.html')}`)
