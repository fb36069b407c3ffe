/**
 * The project's own lint rules: the clock and chance, arithmetic that differs between engines, barrels, default
 * exports, imports that do not belong in a folder, private words in names, and headers and comments. Which folder each
 * holds for is said in eslint.config.js.
 *
 * Known limit: they read the syntax and not the types, so what is renamed first (`const M = Math`) slips through.
 */

/** @typedef {import('eslint').Rule.RuleModule} RuleModule */

/**
 * A rule that forbids what each selector matches.
 *
 * @param {Record<string, string>} messages  what to do instead, by ESTree selector
 * @returns {RuleModule}
 */
const forbids = (messages) => ({
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    Object.fromEntries(
      Object.entries(messages).map(([selector, message]) => [
        selector,
        /** @param {import('eslint').Rule.Node} node */
        (node) => context.report({ node, message }),
      ]),
    ),
})

/** @param {string} pattern  of the module's name */
const importOf = (pattern) =>
  `:matches(ImportDeclaration, ImportExpression, ExportNamedDeclaration, ExportAllDeclaration)[source.value=/${pattern}/]`

const HANDED_IN = 'the time and chance of a run are handed in: a clock, a seeded generator'
const LOCALE = 'depends on the locale of the machine: compare with <, or name the locale'
const NAME_IT = 'name the export: a name can be searched for'
const NO_BARREL = 'no barrels: import from the file that has it'

/** Exact by IEEE 754, or no arithmetic at all. */
const EXACT_MATH = 'abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|[A-Z0-9_]+'

const FILE_START = { line: 1, column: 0 }

const DISABLE_WITHOUT_REASON = /^\s*eslint-disable(?!.* -- \S)/

/** @type {RuleModule} */
const reasonedDisable = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program() {
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        if (!DISABLE_WITHOUT_REASON.test(value) || !loc) continue
        context.report({ loc, message: 'say why behind two dashes: eslint-disable-next-line rule -- why' })
      }
    },
  }),
}

/** First words of a header that asks what the file is instead of saying it: `What an order went through.` */
const RIDDLE = /^(?:What|How|Who|Whom|Whose|Where|Whether|When|Why|Which)\b/i

/** @type {RuleModule} */
const plainHeader = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program(node) {
      const [header] = context.sourceCode.getAllComments()
      if (header?.type !== 'Block' || !header.value.startsWith('*') || header.range?.[0] !== 0) {
        context.report({ node, loc: FILE_START, message: 'begin the file with a /** header */ that says what it is' })
        return
      }
      const [riddle] = RIDDLE.exec(header.value.replace(/^[*\s]+/, '')) ?? []
      if (riddle === undefined) return
      const message = `say plainly what the file is: a header that begins with '${riddle}' leaves it to be guessed`
      context.report({ node, loc: FILE_START, message })
    },
  }),
}

/** Columns of a line of comment, as of code. */
const WIDTH = 120

/** Lines of a comment that stand as they are: lists, tables, code and formulas. */
const IS_SET = /^(?:\s{2,}|[-*|#`>]|\d+[.)] |$)/

/**
 * Words of paragraphs as lines of at most so many columns. A tag such as `@param` begins a paragraph.
 *
 * @param {readonly string[]} lines
 * @param {number} columns
 */
function wrapped(lines, columns) {
  /** @type {string[]} */
  const out = []
  let isOpen = false
  for (const line of lines) {
    if (IS_SET.test(line)) {
      out.push(line)
      isOpen = false
      continue
    }
    if (!isOpen || line.startsWith('@')) out.push('')
    isOpen = true
    for (const word of line.split(' ')) {
      const last = out.at(-1) ?? ''
      if (last === '') out[out.length - 1] = word
      else if (last.length + 1 + word.length <= columns) out[out.length - 1] = `${last} ${word}`
      else out.push(word)
    }
  }
  return out
}

/** @type {RuleModule} */
const commentWidth = {
  meta: { type: 'layout', schema: [], fixable: 'whitespace' },
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode
      for (const { type, value, loc, range } of context.sourceCode.getAllComments()) {
        if (!loc || !range || !value.startsWith('*') || type !== 'Block') continue
        const own = lines.slice(loc.start.line - 1, loc.end.line)
        if (own.every((line) => line.length <= WIDTH) || own[0]?.slice(0, loc.start.column).trim() !== '') continue
        const indent = ' '.repeat(loc.start.column)
        const isOneLine = own.length === 1
        const tagged = isOneLine ? value.replace(/ (?=@\w)/, '\n\n').replaceAll(/(?<=@.*) (?=@\w)/g, '\n') : value
        const text = tagged
          .slice(1)
          .trim()
          .split('\n')
          .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
        const body = wrapped(text, WIDTH - indent.length - 3)
        const fixed = [
          `/**`,
          ...body.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`),
          `${indent} */`,
        ].join('\n')
        // A word or a formula may be longer than a line.
        if (fixed === `/*${value}*/`) continue
        context.report({
          loc,
          message: `wrap the comment at ${WIDTH} columns`,
          fix: (fixer) => fixer.replaceTextRange(range, fixed),
        })
      }
    },
  }),
}

/** Words with which a comment says less than the term of the field, or than "no one", "again" and "reports". */
const VAGUE = /\b(?:told|tells|whoever|nobody|anew|dearness|desks?|parcels?|belief|himself)\b/i

/** First words of a doc comment that leaves out what it is about: `Of the trades so far.` */
const HEADLESS = /^\*\s*(?:\*\s*)?(Of|By|In|At|As|For|Behind|Where|What)\b(?!-| least| most)/

/** @type {RuleModule} */
const plainComment = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program() {
      for (const { type, value, loc } of context.sourceCode.getAllComments()) {
        const [, word] = (type === 'Block' && HEADLESS.exec(value)) || []
        if (word !== undefined && loc)
          context.report({ loc, message: `begin with what it is: a noun phrase or a sentence, not '${word}'` })
        const [vague] = VAGUE.exec(value) ?? []
        if (vague !== undefined && loc)
          context.report({ loc, message: `docs/glossary.md: another word for '${vague}'` })
      }
    },
  }),
}

/** Private words that the field has a term for, as they stood in names of types, files and members. */
const PRIVATE_WORDS = new Set(
  (
    'desk desks parcel parcels settler settlers waiter waiters lanes wish wishes bench benches told tell tells telling ' +
    'untold dearness ghost ghosts kept keeper keepers story stories aim aims whoever nobody lives belief beliefs anew ' +
    'stranger strangers'
  ).split(' '),
)

/** @param {string} name */
const privateWord = (name) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[_#]/)
    .map((word) => word.toLowerCase())
    .find((word) => PRIVATE_WORDS.has(word))

/** Names that stay: `tell` of a search (the field's ask and tell), fields of JSON, and former public names. */
const EXEMPT_MEMBERS = new Set(['tell', 'told', 'kept', 'keptAt', 'isKept', 'story', 'belief', 'strangers'])
const EXEMPT_TYPES = new Set(['KeptAs'])

/** @type {RuleModule} */
const plainNames = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => {
    /** @param {import('eslint').Rule.Node & { name: string }} node */
    const check = (node) => {
      const { parent } = node
      const isMember =
        parent !== null &&
        (('property' in parent && parent.property === node) || ('key' in parent && parent.key === node))
      const isExempt = (isMember && EXEMPT_MEMBERS.has(node.name)) || EXEMPT_TYPES.has(node.name)
      const word = isExempt ? undefined : privateWord(node.name)
      if (word !== undefined) context.report({ node, message: `docs/glossary.md has the field's term for '${word}'` })
      if (/^(?:MOST|LEAST)(?:_|$)/.test(node.name)) context.report({ node, message: 'begin a limit with MAX or MIN' })
    }
    return { Identifier: check, PrivateIdentifier: check }
  },
}

export default {
  rules: {
    'no-clock': forbids({
      'NewExpression[callee.name="Date"][arguments.length=0]': HANDED_IN,
      'CallExpression[callee.name="Date"]': HANDED_IN,
      'MemberExpression[object.name="Date"][property.name="now"]': HANDED_IN,
      'MemberExpression[object.name="Math"][property.name="random"]': HANDED_IN,
      'MemberExpression[object.name="performance"]': HANDED_IN,
      'MemberExpression[object.name="process"][property.name=/^(hrtime|uptime)$/]': HANDED_IN,
      'Identifier[name=/^(setTimeout|setInterval|setImmediate)$/]': HANDED_IN,
      'Identifier[name=/^(getRandomValues|randomBytes|randomFill|randomFillSync|randomInt|randomUUID)$/]': HANDED_IN,
      'CallExpression[callee.property.name="localeCompare"][arguments.length<2]': LOCALE,
      'CallExpression[callee.property.name=/^toLocale/][arguments.length=0]': LOCALE,
      'CallExpression[callee.property.name=/^[gs]et(Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)$/]':
        'depends on the time zone of the machine: use the UTC form',
    }),

    'no-inexact-math': forbids({
      [`MemberExpression[object.name="Math"][property.name!=/^(${EXACT_MATH})$/]`]:
        'its last bit differs between engines: use + - * / and Math.sqrt, or a table',
      'VariableDeclarator[init.name="Math"]': 'write Math.floor(x), so that it can be checked',
      // A power of two with a literal exponent is exact everywhere.
      ':matches(BinaryExpression, AssignmentExpression)[operator=/^[*][*]/]:not([left.bigint], [right.bigint], [left.value=2][right.type="Literal"])':
        'a power of numbers differs between engines: use a bigint power or a table',
    }),

    'no-default-export': forbids({
      ExportDefaultDeclaration: NAME_IT,
      'ExportSpecifier[exported.name="default"]': NAME_IT,
    }),

    'no-barrel': forbids({ ExportAllDeclaration: NO_BARREL, 'ExportNamedDeclaration[source]': NO_BARREL }),

    'no-streams': forbids({ [importOf('^rxjs')]: 'streams begin in src/strategy' }),

    'no-decimals': forbids({
      [`${importOf('^decimal\\.js$')}:not([importKind="type"])`]:
        'decimals are made in src/domain/decimal.ts; everything else counts in integers',
    }),

    'no-inside-import': forbids({
      [importOf('^\\.')]: "import from 'papertape' or another export of it, as a user of the package does",
    }),

    'plain-header': plainHeader,

    'plain-names': plainNames,

    'plain-comment': plainComment,

    'comment-width': commentWidth,

    'reasoned-disable': reasonedDisable,
  },
}
