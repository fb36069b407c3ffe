/**
 * The document of a page of the site: navigation, search, the headings of the page, and its text. It asks no other host
 * for anything.
 */
import { escapeHtml } from './markdown.mjs'

/**
 * @typedef {{ url: string, group: string, label: string }} NavEntry
 * @typedef {{ url: string, title: string, html: string, headings: readonly import('./markdown.mjs').Heading[] }}
 * PageContent
 */

/**
 * @param {PageContent} page
 * @param {readonly NavEntry[]} entries  in their order
 */
export function pageDocument(page, entries) {
  const up = '../'.repeat(page.url.split('/').length - 1)
  const groups = [...new Set(entries.map(({ group }) => group))]
  const nav = groups.map((group) => {
    const items = entries
      .filter((entry) => entry.group === group)
      .map(({ url, label }) => {
        const current = url === page.url ? ' aria-current="page"' : ''
        return `<li><a href="${up}${url}"${current}>${escapeHtml(label)}</a></li>`
      })
    return `<h2>${escapeHtml(group)}</h2><ul>${items.join('')}</ul>`
  })
  const shown = page.headings.filter(({ depth }) => depth === 2 || depth === 3)
  const contents = shown.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  const toc =
    shown.length < 2 ? '' : `<nav class="contents" aria-label="On this page"><ul>${contents.join('')}</ul></nav>`
  const title = page.title === 'papertape' ? 'papertape' : `${page.title} - papertape`
  return `<!doctype html>
<html lang="en" data-up="${up}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}site.css">
<script defer src="${up}site.js"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${up}index.html">papertape</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<div id="results" aria-live="polite" hidden></div>
</div>
<button id="menu" type="button" aria-expanded="false" aria-controls="pages">Pages</button>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages">${nav.join('\n')}</nav>
<main id="text">
${page.html}
</main>
${toc}
</div>
</body>
</html>
`
}
