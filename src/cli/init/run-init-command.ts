/** `papertape init`, after its arguments are parsed. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import type { Language, ProjectFile } from '../new/strategy-template.ts'
import { type FlagText, single } from '../option-values.ts'
import { generateTape } from '../generate/run-generate-command.ts'
import { shellQuoted } from '../shell-quoted.ts'
import { ACTION, installedFrom, ownPackage, projectFiles, TAPE, WORKFLOW } from './project-files.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Maximum number of names listed for a folder that is not empty. */
const MAX_NAMED = 5
/** An empty repository counts as empty folder. */
const MAY_BE_THERE = ['.git']

/**
 * Fills a new directory whole or not at all: a temporary folder is filled and then renamed.
 *
 * Known limit: a killed process leaves `.papertape-init-<process id>`.
 *
 * @param directory  as named by the user; parent folders are created
 * @param fill       receives the folder to fill, which is a temporary one
 * @throws {InputError} if the directory is not empty, or cannot be created
 */
export async function fillWhole(directory: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const target = resolve(directory)
  try {
    const isThere = checkEmpty(directory, target)
    const made = isThere ? undefined : mkdirSync(dirname(target), { recursive: true })
    const stage = join(isThere ? target : dirname(target), `.papertape-init-${io.life.pid}`)
    const clear = (): void => {
      rmSync(stage, { recursive: true, force: true })
      if (made !== undefined) removeEmpty(dirname(target), made)
    }
    await clearedUnlessDone(clear, async () => {
      mkdirSync(stage)
      await fill(stage)
      if (isThere) moveInto(target, stage)
      else renameSync(stage, target)
    })
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error && 'code' in error)) throw error
    throw writeFault(escapedExcerpt(directory), 'cannot be created', error)
  }
}

/** @returns true for an empty folder, false if it does not exist @throws {InputError} otherwise */
function checkEmpty(directory: string, target: string): boolean {
  const place = escapedExcerpt(directory)
  if (directory === '') throw new InputError('init', 'expected the name of a directory')
  const found = lstatSync(target, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) throw new InputError(place, 'exists and is not a directory')
  const names = readdirSync(target).filter((name) => !MAY_BE_THERE.includes(name))
  if (names.length === 0) return true
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const named = names.sort().slice(0, MAX_NAMED).map(escapedExcerpt).join(', ')
  throw new InputError(place, `is not empty: it has ${named}${more}; give a directory that does not exist yet`)
}

async function clearedUnlessDone(clear: () => void, work: () => Promise<void>): Promise<void> {
  const onSignal = (signal: NodeJS.Signals): void => {
    clear()
    for (const each of SIGNALS) io.life.offSignal(each, onSignal)
    io.life.raise(signal)
  }
  for (const signal of SIGNALS) io.life.onSignal(signal, onSignal)
  try {
    await work()
  } catch (error) {
    clear()
    throw error
  } finally {
    for (const signal of SIGNALS) io.life.offSignal(signal, onSignal)
  }
}

/** Moves the files instead of the folder, which may be somebody's working directory. */
function moveInto(target: string, stage: string): void {
  const moved: string[] = []
  try {
    for (const name of readdirSync(stage)) {
      if (lstatSync(join(target, name), { throwIfNoEntry: false }) !== undefined)
        throw new InputError(name, 'appeared in the directory meanwhile and was left unchanged')
      renameSync(join(stage, name), join(target, name))
      moved.push(name)
    }
    rmdirSync(stage)
  } catch (error) {
    for (const name of moved) rmSync(join(target, name), { recursive: true, force: true })
    throw error
  }
}

/** Removes folders from the given one up to the first created one, unless they are no longer empty. */
function removeEmpty(folder: string, first: string): void {
  try {
    for (let each = folder; each.length >= first.length; each = dirname(each)) rmdirSync(each)
  } catch {
    // No longer empty.
  }
}

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
  [WORKFLOW]: 'runs test and expectations on GitHub',
}

function madeText(directory: string, target: string, paths: readonly string[]): string {
  const purposeOf = (path: string): string | undefined => PURPOSES[path] ?? PURPOSES[path.split('/')[0] ?? '']
  const reported = paths.filter((path) => purposeOf(path) !== undefined)
  const others = paths.filter((path) => purposeOf(path) === undefined && path !== ACTION)
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
    ...reported.map((path) => `  ${path.padEnd(28)}${purposeOf(path) ?? ''}`),
    ...[others.slice(0, -3), others.slice(-3)].map((line) => `  ${line.join(', ')}`),
    '',
    'Next:\n',
    ...next.map(([command = '', what = '']) => `  ${command.padEnd(20)}${what}`.trimEnd()),
    '',
  ].join('\n')
}
