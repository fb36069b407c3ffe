/** Documents for language models: `llms.txt` is up to date, and what `AGENTS.md` names is there. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { llmsFullText, llmsText } from '../../scripts/site/llms.mjs'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const guides = readdirSync(join(PROJECT, 'docs')).filter((file) => file.endsWith('.md'))

describe('llms.txt', () => {
  const file = join(PROJECT, 'llms.txt')
  const text = llmsText(PROJECT)

  it('is what the documents say: RENEW_DOCS=1 npx vitest run test/docs/llms.test.ts', () => {
    if (process.env.RENEW_DOCS === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('names every guide with a sentence, and nothing that is not there', () => {
    const rows = [...text.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)]
    expect(rows.map(([, , path = '']) => path)).toEqual(expect.arrayContaining(guides.map((name) => `docs/${name}`)))
    for (const [row, title, path = '', sentence = ''] of rows) {
      expect([row, existsSync(join(PROJECT, path))]).toEqual([row, true])
      expect(title).not.toBe('')
      expect(sentence).toMatch(/^[\w`].{10,}\.$/)
    }
  })
})

describe('llms-full.txt', () => {
  const text = llmsFullText(PROJECT)

  it('has every guide and example whole', () => {
    const examples = readdirSync(join(PROJECT, 'examples')).filter((file) => file.endsWith('.ts'))
    const inside = ['architecture.md']
    for (const name of guides.filter((each) => !inside.includes(each)))
      expect(text).toContain(readFileSync(join(PROJECT, 'docs', name), 'utf8').trim())
    for (const name of examples) expect(text).toContain(readFileSync(join(PROJECT, 'examples', name), 'utf8').trim())
  })

  it('is short enough for the context of a large model', () => {
    expect(text.length).toBeLessThan(600_000)
  })
})

describe('AGENTS.md', () => {
  const text = readFileSync(join(PROJECT, 'AGENTS.md'), 'utf8')

  it('names scripts that there are', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(PROJECT, 'package.json'), 'utf8'),
    )
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })
})
