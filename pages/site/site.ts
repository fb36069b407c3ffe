/**
 * The script of every page of the documentation: the search, and the list of pages on a narrow screen.
 *
 * The sections that are searched come as a script when they are asked for first, for a page that was opened from a file
 * may load nothing else.
 */
import MiniSearch from 'minisearch'
import { byId, el } from '../parts/dom.ts'

/** Text below a heading. */
interface Section {
  readonly page: string
  readonly heading: string
  /** Path in the site. */
  readonly url: string
  readonly text: string
  /** One that explains, and does not only list. */
  readonly isGuide: boolean
}

interface IndexedSection extends Section {
  readonly id: number
}

declare global {
  var papertapeSections: readonly Section[] | undefined
}

const MAX_RESULTS = 12
const AROUND = 70

const up = document.documentElement.dataset.up ?? ''
const input = byId('search', HTMLInputElement)
const results = byId('results', HTMLDivElement)
const menu = byId('menu', HTMLButtonElement)
const pages = byId('pages', HTMLElement)

let index: Promise<MiniSearch<IndexedSection>> | undefined

const loaded = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${up}search-index.js`
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('the sections of the search could not be loaded'))
    document.head.append(script)
  })

async function makeIndex(): Promise<MiniSearch<IndexedSection>> {
  await loaded()
  const search = new MiniSearch<IndexedSection>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'url', 'text', 'isGuide'],
    // A name in backquotes is found by its parts as well.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean),
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { heading: 4, page: 2 },
      combineWith: 'AND',
      boostDocument: (_id, _term, section) => (section?.isGuide === true ? 2 : 1),
    },
  })
  search.addAll((globalThis.papertapeSections ?? []).map((section, id) => ({ ...section, id })))
  return search
}

/** The words around the first of the terms. */
function excerpt(text: string, terms: readonly string[]): string {
  const low = text.toLowerCase()
  const places = terms.map((term) => low.indexOf(term)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - AROUND)
  const shown = text.slice(places.length === 0 ? 0 : from, (places.length === 0 ? 0 : from) + 2 * AROUND)
  return `${from > 0 && places.length > 0 ? '… ' : ''}${shown}${shown.length === 2 * AROUND ? ' …' : ''}`
}

async function show(query: string): Promise<void> {
  index ??= makeIndex()
  const found = query === '' ? [] : (await index).search(query).slice(0, MAX_RESULTS)
  // Somebody has typed on.
  if (query !== input.value.trim()) return
  const rows = found.map(({ page, heading, url, text, terms }) => {
    const place =
      heading === page ? [el('b', {}, String(page))] : [el('b', {}, String(heading)), el('span', {}, String(page))]
    return el('a', { href: up + String(url) }, ...place, el('small', {}, excerpt(String(text), terms)))
  })
  results.replaceChildren(...(rows.length > 0 ? rows : [el('p', { class: 'quiet' }, 'nothing found')]))
  results.hidden = query === ''
}

function search(): void {
  show(input.value.trim()).catch((error: unknown) => {
    results.replaceChildren(el('p', { class: 'bad' }, String(error)))
    results.hidden = false
  })
}

/** From the field through its results and back. */
function step(event: KeyboardEvent): void {
  const stops = [input, ...results.querySelectorAll('a')]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined || at < 0 || results.hidden) return
  event.preventDefault()
  stops[(at + by + stops.length) % stops.length]?.focus()
}

input.addEventListener('input', search)
input.addEventListener('focus', search)
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault()
    input.focus()
  } else if (event.key === 'Escape') {
    results.hidden = true
  } else if (event.key === 'Enter' && document.activeElement === input) {
    results.querySelector('a')?.click()
  } else step(event)
})
document.addEventListener('click', ({ target }) => {
  const isInside = target instanceof Node && (results.contains(target) || input.contains(target))
  const isLink = target instanceof Element && target.closest('#results a') !== null
  if (!isInside || isLink) results.hidden = true
})
menu.addEventListener('click', () => {
  const isOpen = pages.classList.toggle('open')
  menu.setAttribute('aria-expanded', String(isOpen))
})
pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
