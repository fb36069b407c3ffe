/**
 * Documents of the windows: one template, into which each window's own part is set, with short forms of what all of
 * them are made of.
 *
 * - `<data-panel id="trades" title="Trades">`: a section with its heading; a `<data-head>` in it goes beside the heading.
 * - `<data-rows id="trades" columns="Price, Quantity, -Action">`: a table that scrolls in its panel; a column after a minus has a heading
 *   for screen readers only. `plain` leaves the scrolling out, `class` and `caption` are those of the table.
 * - `<data-market>`: the chart of a market with the choice of another, and with `lengths` that of a length of candles.
 */

/** @typedef {Readonly<Record<string, string>>} Attributes */

const PANEL = /<data-panel([^>]*)>(?:\s*<data-head>([\s\S]*?)<\/data-head>)?/g
const MARKET = /<data-market([^>]*)><\/data-market>/g
const ROWS = /<data-rows([^>]*)><\/data-rows>/g

/**
 * @param {string} template  with `{name}`, `{nav}`, `{main}` and `{note}`
 * @param {string} part      of one window: `<data-nav>`, `<main>` and `<data-note>`
 * @param {string} name      of its script
 */
export function windowDocument(template, part, name) {
  const slot = (/** @type {string} */ tag) =>
    new RegExp(`<data-${tag}>([\\s\\S]*?)</data-${tag}>`).exec(part)?.[1]?.trim() ?? ''
  const main = /<main[\s\S]*<\/main>/.exec(part)?.[0] ?? ''
  /** @type {Record<string, string>} */
  const slots = { name, nav: slot('nav'), main: expanded(main), note: slot('note') }
  return template.replaceAll(/\{(name|nav|main|note)\}/g, (_, key) => slots[key] ?? '')
}

/** @param {string} html */
function expanded(html) {
  return html
    .replaceAll(MARKET, (_, text) => market(attributesOf(text)))
    .replaceAll(PANEL, (_, text, head = '') => panel(attributesOf(text), head.trim()))
    .replaceAll('</data-panel>', '</section>')
    .replaceAll(ROWS, (_, text) => rows(attributesOf(text)))
}

/** @param {Attributes} attributes */
function market({ lengths }) {
  const choice = (/** @type {string} */ id, /** @type {string} */ text, /** @type {string} */ name) =>
    `<label${name} id="${id}-label" hidden>${text} <select id="${id}"></select></label>`
  return `<data-panel id="chart" title="Market"><data-head><span id="market-words" class="quiet number"></span>
    ${choice('market', 'Market', ' class="push"')}${lengths === undefined ? '' : choice('length', 'Candles', '')}</data-head>
    <div id="market-chart" class="chart" role="img" aria-label="Candles of the market"></div></data-panel>`
}

/**
 * @param {Attributes} attributes
 * @param {string} head
 */
function panel({ id = '', title = '', hidden }, head) {
  const section = `<section class="panel ${id}-panel" id="${id}-panel" aria-labelledby="${id}-title"`
  return `${section}${hidden === undefined ? '' : ' hidden'}><div class="head"><h2 id="${id}-title">${title}</h2>${head}</div>`
}

/** @param {Attributes} attributes */
function rows({ id = '', columns = '', caption, plain, class: name, hidden }) {
  const headings = columns.split(', ').map((column) => {
    const text = column.startsWith('-') ? `<span class="unseen">${column.slice(1)}</span>` : column
    return `<th scope="col">${text}</th>`
  })
  const table = [
    `<table id="${id}"${name === undefined ? '' : ` class="${name}"`}${hidden === undefined ? '' : ' hidden'}>`,
    caption === undefined ? '' : `<caption>${caption}</caption>`,
    `<thead><tr>${headings.join('')}</tr></thead><tbody></tbody></table>`,
  ].join('')
  // A group, because the panel around it is the landmark of that name.
  return plain === undefined
    ? `<div class="scroll" tabindex="0" role="group" aria-labelledby="${id}-title">${table}</div>`
    : table
}

/**
 * @param {string} text
 * @returns {Attributes}
 */
const attributesOf = (text) =>
  Object.fromEntries(Array.from(text.matchAll(/([a-z-]+)(?:="([^"]*)")?/g), ([, name, value = '']) => [name, value]))
