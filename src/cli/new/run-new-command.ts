/** `papertape new`, after its arguments are parsed: writes both files or none. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { readyStrategies } from '../../runtime/strategies/ready-strategies.ts'
import { CONFIG_FILES } from '../config/config-file.ts'
import { EXTENSION, type Language, type ProjectFile, strategyFiles, NEW_KINDS } from './strategy-template.ts'
import { writeFault } from '../../domain/write-fault.ts'

const PACKAGE = 'package.json'

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const MAX_CHARACTERS = 60

/**
 * Validates the name of a strategy file: lower-case words with hyphens, like the built-in ones.
 *
 * @returns the name
 * @throws {InputError} for an invalid name, with the nearest valid one
 */
export function strategyName(where: string, name: string): string {
  if (!NAME.test(name) || name.length > MAX_CHARACTERS) {
    const meant = hyphenated(name)
    const hint = NAME.test(meant) && meant !== name ? `; did you mean '${meant}'?` : ''
    const rule = `lower-case letters and digits in words with single hyphens, at most ${MAX_CHARACTERS} characters`
    throw new InputError(where, `expected a name such as my-strategy (${rule}), got '${escapedExcerpt(name)}'${hint}`)
  }
  if (readyStrategies().includes(name))
    throw new InputError(where, `'${name}' is the name of a ready strategy: choose another name`)
  return name
}

/** `MyStrategy.ts` and `my strategy` are `my-strategy`. */
const hyphenated = (name: string): string =>
  name
    .replace(/^.*[\\/]/, '')
    .replace(/\.[cm]?[jt]s$/, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
    .slice(0, MAX_CHARACTERS)
    .replace(/-$/, '')

/**
 * Writes a strategy and its test into the project of the working directory.
 *
 * @param isJavaScript  true for JavaScript, regardless of the project
 * @returns             the written paths, and a text with the next commands
 * @throws {InputError} for an invalid name, or an existing file
 */
export function makeStrategy(
  kind: string,
  name: string,
  isJavaScript: boolean,
): { readonly files: readonly string[]; readonly text: string } {
  if (!(NEW_KINDS as readonly string[]).includes(kind)) {
    throw new InputError('new', `expected ${NEW_KINDS.join(', ')}, got '${kind}'${nearestNameHint(kind, NEW_KINDS)}`)
  }
  const project = readProject()
  const language = isJavaScript ? 'javascript' : project.language
  const files = strategyFiles(strategyName('new strategy', name), language)
  checkFree(files)
  writeAll(files)
  return { files: files.map(({ path }) => path), text: reported(files, project) }
}

interface Project {
  readonly language: Language
  readonly hasVitest: boolean
  readonly hasConfig: boolean
}

/** A folder without package.json is a valid project, because a backtest does not need one. */
function readProject(): Project {
  const packages = existsSync(PACKAGE) ? packagesIn(readFileSync(PACKAGE, 'utf8')) : undefined
  const isJavaScript = packages !== undefined && !existsSync('tsconfig.json') && !packages.includes('typescript')
  return {
    language: isJavaScript ? 'javascript' : 'typescript',
    hasVitest: packages?.includes('vitest') ?? false,
    hasConfig: CONFIG_FILES.some((file) => existsSync(file)),
  }
}

/** Names of all dependencies in a package.json. */
function packagesIn(text: string): readonly string[] {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new InputError(PACKAGE, error instanceof Error ? error.message : 'not JSON', { cause: error })
  }
  const { dependencies, devDependencies } = (json ?? {}) as Record<string, object | null | undefined>
  return [dependencies, devDependencies].flatMap((each) => Object.keys(each ?? {}))
}

/** Refuses a name used in either language: both files would be the same strategy for a reader. */
function checkFree(files: readonly ProjectFile[]): void {
  const ways = files.flatMap(({ path }) => Object.values(EXTENSION).map((end) => path.replace(/\w+$/, end)))
  const taken = ways.find((path) => existsSync(path))
  if (taken !== undefined) throw new InputError(taken, 'exists already and was left unchanged: give another name')
}

function writeAll(files: readonly ProjectFile[]): void {
  const written: string[] = []
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
      written.push(path)
    } catch (error) {
      for (const each of written) rmSync(each, { force: true })
      throw writeFault(path, 'cannot be written', error)
    }
  }
}

function reported([strategy, test]: readonly ProjectFile[], { hasVitest, hasConfig }: Project): string {
  const [path = '', testPath = ''] = [strategy?.path, test?.path]
  const install = hasVitest ? [] : ['npm install --save-dev vitest']
  const tape = hasConfig ? '' : ' --tape BTC_USD=FILE'
  const next = [`npx papertape backtest ${path}${tape}`, ...install, `npx vitest run ${testPath}`]
  return [`${path}\n${testPath}\n\nNext:\n`, ...next.map((command) => `  ${command}`), ''].join('\n')
}
