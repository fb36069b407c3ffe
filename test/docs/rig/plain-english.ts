/**
 * Rules of prose for pages and help: words to avoid, sentence length, word count.
 */

/** The longest sentence of the README and of a first paragraph, in words. */
const MAX_SENTENCE_WORDS = 30
export const MAX_README_WORDS = 900

/** Words and phrases that this project does not use in prose, with what to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\btold\b/gi, 'emitted, reported, printed, returned'],
  [/\btells?\b/gi, 'emits, reports, prints, shows'],
  [/\bwhoever\b/gi, 'anyone who, you'],
  [/\bnobody\b/gi, 'no one, or the passive subject itself'],
  [/\banew\b/gi, 'again'],
  [/\bof which\b/gi, 'two sentences'],
  [/\bbears\b/gi, 'affects'],
  [/\blies\b/gi, 'is'],
  [/\bstands\b/gi, 'is'],
  [/\b(?:makes|made|make) up\b/gi, 'generates'],
  [/\bbut for\b/gi, 'except'],
  [/\bbeside\b/gi, 'next to'],
  [/\bthere and then\b/gi, 'immediately'],
  [/\b(?:his|himself)\b/gi, 'their'],
  [/\bbelief\b/gi, 'filter'],
  [/\bdearness\b/gi, 'momentum'],
]

/** Words that no sentence begins with. Questions, headings and labels may. */
const BANNED_OPENINGS = /^(?:Of|What|Whoever|Behind)\b.*[.:;]$/

/** Text of a page without code, tables' rules, link targets and emphasis. Paragraphs are separated by empty lines. */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^(```+)[^]*?^\1$/gm, '\n')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/^\|[-:| ]+\|$/gm, '')
    .replaceAll(/(`+)[^]*?\1/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
}

/** @returns one line per item: a paragraph, list item, table cell or heading */
export function passagesOf(markdown: string): string[] {
  const prose = proseOf(markdown).replaceAll(/^(?=\s*(?:[-*]|\d+\.) )/gm, '\n')
  return prose
    .split(/\n\s*\n/)
    .flatMap((block) => {
      const lines = block.trim().split('\n')
      const isSplit = lines.every((line) => /^[|#]/.test(line))
      const items = isSplit ? lines.flatMap((line) => line.split('|')) : [lines.join(' ')]
      return items.map((item) =>
        item
          .replace(/^\s*(?:[-*]|\d+\.|#+) /, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
    })
    .filter((item) => item !== '')
}

const sentencesOf = (passage: string): string[] => passage.split(/(?<=[.!?:])\s+(?=[A-Z]|papertape\b)/)

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word))

/** @returns the first paragraph after the title */
export function firstParagraphOf(markdown: string): string {
  const blocks = proseOf(markdown)
    .split(/\n\s*\n/)
    .map((block) => block.trim())
  return (blocks.find((block) => block !== '' && !/^[#|]/.test(block)) ?? '').replaceAll(/\s+/g, ' ')
}

export const longSentencesOf = (text: string): string[] =>
  sentencesOf(text).filter((sentence) => wordsOf(sentence).length > MAX_SENTENCE_WORDS)

/**
 * @param allowed  reviewed passages that may use a word of the list
 * @returns one line per fault: the word, its replacement and the passage
 */
export function wordFaultsOf(passages: readonly string[], allowed: readonly string[] = []): string[] {
  return passages.flatMap((passage) => {
    const rest = allowed.reduce((text, phrase) => text.replaceAll(phrase, ''), passage)
    const words = BANNED.flatMap(([word, instead]) =>
      [...rest.matchAll(word)].map(([found]) => `${found} (${instead}): ${passage}`),
    )
    const openings = sentencesOf(rest).filter((sentence) => BANNED_OPENINGS.test(sentence))
    return [...words, ...openings.map((sentence) => `opening: ${sentence}`)]
  })
}

/** Anchors of the headings of a page, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  const text = markdown.replaceAll(/^(```+)[^]*?^\1$/gm, '')
  for (const [, heading = ''] of text.matchAll(/^#+ (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/** Relative links of a page, without those in code. */
export const linksOf = (markdown: string): string[] =>
  [
    ...markdown
      .replaceAll(/^(```+)[^]*?^\1$/gm, '')
      .replaceAll(/(`+)[^]*?\1/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, href = '']) => href)
    .filter((href) => !/^(?:https?|mailto):/.test(href))
