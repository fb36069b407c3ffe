/**
 * Targets in the site of links between the sources, and the links that lead nowhere.
 */
import { posix } from 'node:path'
import { FOLDERS } from './pages.mjs'

const IS_ELSEWHERE = /^(?:https?|mailto|data):/

/**
 * @typedef {{ from: string, href: string, url: string, anchor: string }} SiteLink  from a source, as it was written, to
 * a page
 */

export class SiteLinks {
  /** @type {Map<string, string>} url by source */
  #urls
  /** @type {SiteLink[]} */
  #links = []
  /** @type {string[]} */
  #faults = []
  /** @type {Set<string>} of the project */
  pictures = new Set()

  /** @param {readonly { source: string, url: string }[]} pages */
  constructor(pages) {
    this.#urls = new Map([
      ...pages.map(({ source, url }) => /** @type {const} */ ([source, url])),
      ...Object.entries(FOLDERS),
    ])
  }

  /**
   * Target of a link from the page of its source; unchanged if there is none.
   *
   * @param {{ source: string, url: string }} page
   * @param {string} href
   * @param {boolean} isImage
   */
  resolve({ source, url: own }, href, isImage) {
    if (IS_ELSEWHERE.test(href)) return href
    const [path = '', anchor = ''] = href.split('#')
    const target = path === '' ? source : posix.join(posix.dirname(`${source}.`), decodeURI(path)).replace(/\/$/, '')
    if (isImage) {
      this.pictures.add(target)
      return posix.relative(posix.dirname(own), `pictures/${posix.basename(target)}`)
    }
    const url = this.#urls.get(target) ?? this.#urls.get(`${target}/`)
    if (url === undefined) {
      this.#faults.push(`${source}: ${href}: there is no page of ${target}`)
      return href
    }
    this.#links.push({ from: source, href, url, anchor })
    const to = url === own ? '' : posix.relative(posix.dirname(own), url)
    return anchor === '' ? to || posix.basename(own) : `${to}#${anchor}`
  }

  /**
   * A line for every link that leads nowhere.
   *
   * @param {ReadonlyMap<string, ReadonlySet<string>>} anchors  of each page, by its url
   */
  faults(anchors) {
    const dead = this.#links.filter(({ url, anchor }) => anchor !== '' && !anchors.get(url)?.has(anchor))
    return [...this.#faults, ...dead.map(({ from, href, url }) => `${from}: ${href}: ${url} has no such heading`)]
  }
}
