/**
 * A self-contained HTML document with its data, script and style, which loads nothing from the network.
 *
 * Invariant: the content security policy allows only this script and these styles, by hash; data is never parsed as
 * markup. The one style that the script injects is that of the chart logo, which its licence requires.
 */
import { createHash } from 'node:crypto'
import { folded } from '../folded-data.ts'

export interface PageParts {
  /** Document title. */
  readonly title: string
  /** Plain JSON that the script reads from `#head` before it unpacks the rest; default: none. */
  readonly head?: unknown
  /** Plain JSON, which the script unpacks from `#data`. */
  readonly data: unknown
  /**
   * Texts of base64 lines, which the script takes from `#detail-0`, `#detail-1` and so on, unfolded only when needed.
   */
  readonly details?: readonly string[]
  /** An ECMAScript module without imports. */
  readonly script: string
  readonly style: string
}

export function pageDocument({ title, head, data, details = [], script, style }: PageParts): string {
  const [module, look] = [inScript(script), style.replaceAll('</', '<\\/')]
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(module)}'`,
    `style-src ${[look, ...stylesOfLogo(module)].map((text) => `'${hashOf(text)}'`).join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    // Identifies files that papertape may overwrite.
    '<meta name="generator" content="papertape">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(title)}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${look}</style>`,
    '</head>',
    '<body>',
    '<noscript><p>This page needs JavaScript, which is switched off.</p></noscript>',
    ...(head === undefined ? [] : [`<script id="head" type="application/json">${jsonInScript(head)}</script>`]),
    `<script id="data" type="application/octet-stream">${folded(data)}</script>`,
    ...details.map((text, index) => `<script id="detail-${index}" type="application/octet-stream">${text}</script>`),
    `<script type="module">${module}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** CSS of the logo, a string in the source of lightweight-charts. */
const stylesOfLogo = (script: string): readonly string[] =>
  Array.from(script.matchAll(/(["'`])(a#tv-attr-logo\{.*?)\1/gs), ([, , text = '']) => text)

const jsonInScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Escapes `</script` and `<!--` for an inline script; `\x3C` means the same inside a JavaScript string. */
const inScript = (script: string): string => script.replaceAll(/<(?=\/script|!--)/gi, '\\x3C')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
