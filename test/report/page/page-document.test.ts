/**
 * A page as one document: what is in it cannot end it, and its policy lets nothing else run.
 */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { unfolded } from '../../../src/report/folded-data.ts'
import { pageDocument } from '../../../src/report/page/page-document.ts'

const between = (text: string, from: string, to: string): string => text.split(from)[1]?.split(to)[0] ?? ''

describe('the document of a page', () => {
  const data = { text: '</script><script>alert(1)</script><!--', line: '\u2028', sign: '&lt;' }
  const script = "const end = '</script>', open = '<!--', less = 1 < 2; document.title = end"
  const style = "p::after { content: '</style>' }"
  const page = pageDocument({ title: 'A <b> & "c"', data, script, style })

  it('has its data whole, and no markup in them', () => {
    const text = between(page, '<script id="data" type="application/octet-stream">', '</script>')
    expect(unfolded(text)).toEqual(data)
    expect(text).toMatch(/^[A-Za-z0-9+/]+=*$/)
    expect(page).toContain('<title>A &lt;b&gt; &amp; &quot;c&quot;</title>')
  })

  it('has what is painted first as JSON without markup', () => {
    const text = between(
      pageDocument({ title: '', head: data, data, script, style }),
      '<script id="head" type="application/json">',
      '</script>',
    )
    expect(JSON.parse(text)).toEqual(data)
    expect(text).not.toContain('<')
  })

  it('has two scripts and one style that end where they should', () => {
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.match(/<\/script/g)).toHaveLength(2)
    expect(page.match(/<\/style/g)).toHaveLength(1)
    expect(page).not.toContain('<!--')
    const module = between(page, '<script type="module">', '</script>')
    expect(module).toContain("'\\x3C/script>'")
    expect(module).toContain('1 < 2')
  })

  it('lets run what is in it alone', () => {
    const policy = between(page, 'content-security-policy" content="', '"')
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toContain(`script-src ${hash(between(page, '<script type="module">', '</script>'))};`)
    expect(policy).toContain(`style-src ${hash(between(page, '<style>', '</style>'))};`)
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).not.toMatch(/unsafe|http|\*/)
    expect(page).not.toMatch(/\bsrc=/)
  })
})
