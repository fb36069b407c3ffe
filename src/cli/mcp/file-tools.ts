/** Tools about files: recordings, strategies, text files of the folder, and the documentation. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import type { Workspace } from './child-command.ts'
import { checkedTool, type Tool } from './tool.ts'
import { PACKAGE } from './sandbox.ts'
import { strategy, strategyArg } from './command-flags.ts'

const CODE = /\.[cm]?[jt]s$/
const RECORDING = /\.(?:csv|jsonl?|ndjson|parquet|tape|db)(?:\.(?:gz|zst|bz2|xz)|)$|\.zip$/i
const WITH_CATALOG = /\.(?:tape|db)$/i
/** Documents of the package: guides, examples, ready strategies. */
const DOCUMENT = /^(?:(?:docs|examples|strategies|data)\/(?:[\w-]+\/)*[\w-]+\.(?:md|ts|mjs)|llms\.txt|CHANGELOG\.md)$/

export const fileTools = (workspace: Workspace): readonly Tool[] => [
  ...listTools(workspace),
  ...textTools(workspace),
  checkedTool({
    name: 'check_types',
    scope: 'read',
    describe: 'Report type errors of a strategy file, and run it once on a generated market. Needs typescript.',
    isReadOnly: false,
    input: z.strictObject({ strategy }),
    call: ({ strategy: given }, signal) =>
      workspace.commands.answer(
        ['check', strategyArg(workspace.sandbox, given), '--types', '--runs=1'],
        signal,
        [0, 1],
      ),
  }),
  checkedTool({
    name: 'read_docs',
    scope: 'read',
    describe: 'Read the documentation: without a page, the index of guides and examples; begin there.',
    isReadOnly: true,
    input: z.strictObject({
      page: z.string().default('llms.txt').describe('path in the index, such as docs/strategies.md'),
    }),
    call: ({ page }) => {
      const path = page.replace(/#.*$/, '')
      if (!DOCUMENT.test(path) || statSync(join(PACKAGE, path), { throwIfNoEntry: false })?.isFile() !== true)
        throw new InputError('page', `there is no document '${page}'; read_docs without a page lists them`)
      return { text: readFileSync(join(PACKAGE, path), 'utf8') }
    },
  }),
]

const listTools = ({ sandbox, commands }: Workspace): readonly Tool[] => [
  checkedTool({
    name: 'list_tapes',
    scope: 'read',
    describe: 'List the recordings that a backtest can use: those of the folder, and generated ones of the package.',
    isReadOnly: true,
    input: z.strictObject({}),
    call: async (_given, signal) => {
      const own = sandbox.files(RECORDING).filter((path) => !/^(?:runs|papertape-check)\//.test(path))
      const shipped = readdirSync(join(PACKAGE, 'data')).filter((name) => RECORDING.test(name))
      const catalogs = own.filter((path) => WITH_CATALOG.test(path)).map((path) => sandbox.argument('tapes', path))
      const listed = catalogs.length === 0 ? undefined : await commands.run(['tapes', ...catalogs, '--json'], signal)
      const text = JSON.stringify({ folder: own, shipped: shipped.map((name) => `data/${name}`) })
      return listed === undefined ? { text } : { text: `${text}\n${commands.textOf(listed).text}` }
    },
  }),
  checkedTool({
    name: 'list_strategies',
    scope: 'read',
    describe: 'List the ready strategies with their parameters, and the code files of the folder.',
    isReadOnly: true,
    input: z.strictObject({}),
    call: async (_given, signal) => {
      const { text, isError = false } = commands.textOf(await commands.run(['strategies', '--json'], signal))
      if (isError) return { text, isError }
      return { text: `${JSON.stringify({ folder: sandbox.files(CODE) })}\n${text}` }
    },
  }),
]

const textTools = ({ sandbox, commands }: Workspace): readonly Tool[] => [
  checkedTool({
    name: 'write_strategy',
    scope: 'read',
    describe: 'Write a strategy file into the folder, over an earlier one. Read docs/strategies.md first.',
    isReadOnly: false,
    input: z.strictObject({
      path: z.string().regex(CODE, 'expected the path of a .ts or .js file').describe('such as strategies/mine.ts'),
      text: z.string().describe('the whole file'),
    }),
    call: ({ path, text }) => {
      sandbox.path('path', path)
      if (commands.isDryRun) return { text: `dry run, nothing was done; this would write ${path}` }
      sandbox.write('path', path, text)
      return { text: `wrote ${path}, ${Buffer.byteLength(text)} bytes` }
    },
  }),
  checkedTool({
    name: 'read_file',
    scope: 'read',
    describe: 'Read a text file of the folder: a strategy, or a file of a run such as runs/grid-1/orders.csv.',
    isReadOnly: true,
    input: z.strictObject({ path: z.string() }),
    call: ({ path }) => ({ text: sandbox.read('path', path) }),
  }),
]
