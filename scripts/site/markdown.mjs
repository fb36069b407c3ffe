/**
 * A page of Markdown as HTML, with what is to be known of it: its headings, where its links lead, and its text for the
 * search.
 */
import GithubSlugger from 'github-slugger'
import { Marked } from 'marked'
import { highlighted } from './highlight.mjs'

/**
 * @typedef {{ depth: number, text: string, id: string }} Heading  plain text, and the anchor that GitHub gives it
 * @typedef {{ heading: string, id: string, text: string }} Section  what stands below a heading, in plain words; id ''
 * before the first
 * @typedef {{ html: string, title: string, headings: readonly Heading[], sections: readonly Section[] }} Rendered
 */

/** @param {string} text */
export const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** @param {string} markdown  what is read of it without its marks */
const plainText = (markdown) =>
  markdown
    .replaceAll(/!?\[((?:\\.|[^\]])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?\w+[^>]*>|^```.*$|^\|[-| ]+\|$|[`*#|]|\\(?=\W)/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/**
 * @param {string} markdown
 * @param {(href: string, isImage: boolean) => string} linkTo  where a link leads in the site
 * @returns {Rendered}
 */
export function renderMarkdown(markdown, linkTo) {
  const slugger = new GithubSlugger()
  /** @type {Heading[]} */
  const headings = []
  /** @type {string | undefined} of an anchor that stands by itself before a heading: its name is the heading's */
  let named
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, raw }) {
        const text = plainText(raw)
        const slug = slugger.slug(text)
        const id = named ?? slug
        named = undefined
        headings.push({ depth, text, id })
        const words = this.parser.parseInline(tokens)
        const link = `<a class="anchor" href="#${id}" aria-label="Link to this heading">#</a>`
        return `<h${depth} id="${id}">${words}${depth === 1 ? '' : ` ${link}`}</h${depth}>\n`
      },
      paragraph({ raw, tokens }) {
        const [, name] = /^<a id="([^"]+)"><\/a>\s*$/.exec(raw) ?? []
        if (name === undefined) return `<p>${this.parser.parseInline(tokens)}</p>\n`
        named = name
        return ''
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(linkTo(href, false))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(linkTo(href, true))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      codespan({ text }) {
        const words = escapeHtml(text).replaceAll(/(?<=^|\s)-[\w-]+/g, '<span class="flag">$&</span>')
        return `<code>${words}</code>`
      },
      code({ text, lang = '' }) {
        const language = /^\w+/.exec(lang)?.[0] ?? ''
        return `<pre tabindex="0"><code data-language="${language}">${highlighted(text, language) ?? escapeHtml(text)}</code></pre>\n`
      },
      table(token) {
        const row = (/** @type {import('marked').Tokens.TableCell[]} */ cells, /** @type {string} */ tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        const table = `<table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table>`
        return `<div class="table" tabindex="0">${table}</div>\n`
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  return { html, title: headings[0]?.text ?? '', headings, sections: sectionsOf(tokens, headings) }
}

/** Below a name of the reference: they report of it, and are not looked for. */
const PARTS = new Set(['Parameters', 'Returns', 'Throws', 'See', 'Overrides', 'Inherited from', 'Implementation of'])

/**
 * A section a heading; a member of the reference, at depth 5, is named with what it is a member of.
 *
 * @param {readonly import('marked').Token[]} tokens
 * @param {readonly Heading[]} headings  in the order of those tokens
 * @returns {readonly Section[]}
 */
function sectionsOf(tokens, headings) {
  const sections = [{ heading: '', id: '', text: '' }]
  const remaining = headings.values()
  let owner = ''
  for (const { type, raw } of tokens) {
    const heading = type === 'heading' ? remaining.next().value : undefined
    const last = sections.at(-1)
    if (heading === undefined) {
      if (last !== undefined) last.text = `${last.text} ${plainText(raw)}`.trim()
    } else if (heading.depth <= 3) {
      owner = heading.text
      sections.push({ heading: heading.text, id: heading.id, text: '' })
    } else if (heading.depth === 5 && !PARTS.has(heading.text)) {
      sections.push({ heading: `${owner}.${heading.text}`, id: heading.id, text: '' })
    }
  }
  return sections.filter(({ heading, text }) => heading !== '' || text !== '')
}
