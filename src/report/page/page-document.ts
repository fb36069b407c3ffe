/**
 * A page that is sent around: one document with its data, its script and its style in it, that asks nobody for
 * anything.
 *
 * Invariant: its policy lets run this script and this style alone, by their hashes; whatever the data says is no
 * markup. The one style that a script brings along is that of the logo in the charts, which is there by its licence.
 */
import { createHash } from 'node:crypto'
import { folded } from './folded-data.ts'

export interface PageParts {
  /** In the head of the document. */
  readonly title: string
  /** Plain JSON, which the script unfolds from `#data`. */
  readonly data: unknown
  /** An ECMAScript module without imports. */
  readonly script: string
  readonly style: string
}

export function pageDocument({ title, data, script, style }: PageParts): string {
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
    // By which it is known that it may be written again.
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
    `<script id="data" type="application/octet-stream">${folded(data)}</script>`,
    `<script type="module">${module}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** As lightweight-charts sets it, a text of its script. */
const stylesOfLogo = (script: string): readonly string[] =>
  Array.from(script.matchAll(/(["'`])(a#tv-attr-logo\{.*?)\1/gs), ([, , text = '']) => text)

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/**
 * What would end a script, or begin a comment around its end, is written in another way that means the same within a
 * text.
 */
const inScript = (script: string): string => script.replaceAll(/<(?=\/script|!--)/gi, '\\x3C')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
