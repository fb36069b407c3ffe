/**
 * Pages read like plain English: short sentences, no word of the list in rig/plain-english.ts, and links that work.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cliFolderHere } from '../cli/rig/cli-here.ts'
import {
  anchorsOf,
  firstParagraphOf,
  linksOf,
  longSentencesOf,
  MAX_README_WORDS,
  passagesOf,
  proseOf,
  wordFaultsOf,
  wordsOf,
} from './rig/plain-english.ts'

const PROJECT = join(import.meta.dirname, '../..')
const read = (page: string): string => readFileSync(join(PROJECT, page), 'utf8')
const pagesIn = (folder: string): string[] =>
  readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
const DOCS = ['docs', 'docs/decisions'].flatMap(pagesIn)
const OTHERS = ['AGENTS.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'bench/README.md', 'examples/README.md']
// The specification itself is not ours to change.
const PAGES = ['README.md', ...OTHERS, ...DOCS, 'docs/specification/decisions.md', 'docs/specification/tests.md']

/** Reviewed phrases that use a word of the list in its plain meaning, by page. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {}

it('README.md is short', () => {
  expect(wordsOf(proseOf(read('README.md'))).length).toBeLessThanOrEqual(MAX_README_WORDS)
})

it('README.md has no long sentence', () => {
  expect(passagesOf(read('README.md')).flatMap((passage) => longSentencesOf(passage))).toEqual([])
})

describe.each(PAGES)('%s', (page) => {
  const text = read(page)

  it('begins with short sentences', () => {
    expect(firstParagraphOf(text)).not.toBe('')
    expect(longSentencesOf(firstParagraphOf(text))).toEqual([])
  })

  it('uses plain words', () => {
    expect(wordFaultsOf(passagesOf(text), ALLOWED[page])).toEqual([])
  })

  it('has links that lead to a file and a heading', () => {
    const dead = linksOf(text).filter((href) => {
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? page : posix.join(posix.dirname(page), path)
      if (!existsSync(join(PROJECT, target))) return true
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor)
    })
    expect(dead).toEqual([])
  })
})

/** Lists that show nothing. */
const WITHOUT_EXAMPLE = ['docs/README.md', 'docs/glossary.md']

it.each(pagesIn('docs').filter((page) => !WITHOUT_EXAMPLE.includes(page)))(
  '%s has its first example within ten lines',
  (page) => {
    const first = read(page)
      .split('\n')
      .findIndex((line) => line.startsWith('```'))
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(10)
  },
)

describe('help uses plain words', async () => {
  const { cli } = cliFolderHere()
  const overview = (await cli('--help')).stdout
  const commands = [...overview.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name)

  it('of every command', () => {
    expect(commands.length).toBeGreaterThan(20)
    expect(wordFaultsOf(overview.split('\n'))).toEqual([])
  })

  it.each(commands)('%s', async (command) => {
    const { code, stdout } = await cli(command, '--help')
    expect(code).toBe(0)
    expect(wordFaultsOf(stdout.split('\n').map((line) => line.trim()))).toEqual([])
  })

  const below = ['runs show', 'tapes check', 'tapes rm', 'live halt', 'live reduce', 'live resume', 'live status']
  it.each([...below, 'live orders', 'live orders adopt', 'live orders mark-absent', 'live flatten'])(
    '%s',
    async (words) => {
      const { code, stdout } = await cli(...words.split(' '), '--help')
      expect(code).toBe(0)
      expect(wordFaultsOf(stdout.split('\n').map((line) => line.trim()))).toEqual([])
    },
  )
})

describe('the rules find', () => {
  it.each([
    ['a word of the list', 'The trade is told.'],
    ['an opening', 'It fills. What is left rests.'],
    ['a word in a table', '| a | b |\n|-|-|\n| x | nobody |'],
  ])('%s', (_, text) => {
    expect(wordFaultsOf(passagesOf(text))).toHaveLength(1)
  })

  it('nothing in code, questions and link targets', () => {
    const text = 'Call `told()`. What is a tape? [A link](told.md).\n\n```sh\ntell nobody\n```\n'
    expect(wordFaultsOf(passagesOf(text))).toEqual([])
  })

  it('a long sentence', () => {
    expect(longSentencesOf(`Short. ${'word '.repeat(31)}end.`.replace('word', 'Word'))).toHaveLength(1)
  })
})
