/** `papertape init`, after its arguments are parsed. */
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../flag-values.ts'
import type { Language, ProjectFile } from '../new/strategy-template.ts'
import { single, type FlagText } from '../option-values.ts'
import { generateTape } from '../run-generate-command.ts'
import { shellQuoted } from '../shell-quoted.ts'
import { installedFrom, ownPackage } from './own-package.ts'
import { projectFiles, TAPE } from './project-files.ts'
import { fillWhole } from './whole-folder.ts'

/** The same tape for everyone. */
const TAPE_FLAGS = { days: '5', seed: '1', symbol: TAPE.symbol }

/** A created project. */
export interface MadeProject {
  /** Absolute path. */
  readonly directory: string
  /** Paths relative to it, with slashes. */
  readonly files: readonly string[]
  /** Message: the created files, and the next commands. */
  readonly text: string
}

const MAX_CHARACTERS = 100
const FALLBACK = 'my-bot'

/** Names that npm refuses, and those of the project's dependencies. */
const TAKEN = ['node_modules', 'favicon.ico', 'papertape', 'rxjs', 'zod', 'vitest', 'typescript']

/** Valid package name: `Mein Bot (2)` is `mein-bot-2`; `my-bot` if nothing is left. */
export function packageName(folder: string): string {
  const name = folder
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+/g, '')
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/[._-]+$/g, '')
  if (name === '') return FALLBACK
  return TAKEN.includes(name) ? `${name}-bot` : name
}

/**
 * Creates the project.
 *
 * @throws {InputError} if the directory is not empty, or cannot be written
 */
export async function makeProject(directory: string, values: FlagValues): Promise<MadeProject> {
  const target = resolve(directory)
  const given = single('--papertape', values.papertape as FlagText)
  const own = ownPackage()
  const source = given === undefined ? installedFrom() : givenSource(given)
  const rxjs = source === undefined ? undefined : linkedRxjs(source)
  const language: Language = values.javascript === true ? 'javascript' : 'typescript'
  const files = projectFiles({
    name: packageName(basename(target)),
    language,
    papertape: source === undefined ? `^${own.version}` : fileRange(source, target),
    rxjs: rxjs && fileRange(rxjs, target),
    own,
  })
  await fillWhole(directory, async (folder) => {
    for (const file of files) write(folder, file)
    mkdirSync(join(folder, dirname(TAPE.file)))
    await generateTape({ ...TAPE_FLAGS, out: join(folder, TAPE.file) })
  })
  const paths = [...files.map(({ path }) => path), TAPE.file]
  return { directory: target, files: paths, text: madeText(directory, target, paths) }
}

function givenSource(given: string): string {
  const path = resolve(given)
  if (!existsSync(path)) throw new InputError('--papertape', `no such file or folder '${given}'`)
  const isPackage = statSync(path).isDirectory()
    ? existsSync(join(path, 'package.json'))
    : /\.(?:tgz|tar\.gz)$/.test(path)
  if (isPackage) return path
  throw new InputError('--papertape', `expected a packed package (.tgz) or a folder with package.json, got '${given}'`)
}

/**
 * RxJS of a linked papertape. npm links a folder with its own packages, and two copies of RxJS would give a strategy
 * timers that papertape does not control.
 */
function linkedRxjs(source: string): string | undefined {
  const path = join(source, 'node_modules/rxjs')
  return existsSync(path) ? path : undefined
}

/** Relative `file:` path as npm writes it, with links resolved. */
function fileRange(source: string, target: string): string {
  let [there, below] = [target, '']
  while (!existsSync(there)) [there, below] = [dirname(there), join(basename(there), below)]
  return `file:${relative(join(realpathSync(there), below), realpathSync(source))
    .split(sep)
    .join('/')}`
}

function write(folder: string, { path, text }: ProjectFile): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Purpose of the most important files. */
const PURPOSES: Readonly<Record<string, string>> = {
  strategies: 'the strategy',
  test: 'its test, on a few candles',
  [TAPE.file]: 'five days of generated trades to run it on',
  'papertape.config.json': 'the settings of the backtest',
}

function madeText(directory: string, target: string, paths: readonly string[]): string {
  const purposeOf = (path: string): string | undefined => PURPOSES[path] ?? PURPOSES[path.split('/')[0] ?? '']
  const told = paths.filter((path) => purposeOf(path) !== undefined)
  const others = paths.filter((path) => purposeOf(path) === undefined)
  const enter = target === io.cwd ? [] : [[`cd ${shellQuoted(directory)}`, '']]
  const next = [
    ...enter,
    ['npm install', ''],
    ['npm start', 'run a backtest'],
    ['npm test', 'run the test'],
    ['npm run check', 'test the strategy on generated markets'],
    ['npm run watch', 'run the backtest again on every save'],
  ]
  return [
    `Created the project ${printable(directory)}:\n`,
    ...told.map((path) => `  ${path.padEnd(28)}${purposeOf(path) ?? ''}`),
    ...[others.slice(0, -3), others.slice(-3)].map((line) => `  ${line.join(', ')}`),
    '',
    'Next:\n',
    ...next.map(([command = '', what = '']) => `  ${command.padEnd(20)}${what}`.trimEnd()),
    '',
  ].join('\n')
}
