/** The files of a new project as text, except for its tape. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import {
  EXTENSION,
  type Language,
  type ProjectFile,
  strategyFiles,
  TEMPLATE_NAME,
  templateFor,
  templateText,
} from '../new/strategy-template.ts'

const ranges = z.record(z.string(), z.string())
const packageJson = z.object({ version: z.string(), dependencies: ranges, devDependencies: ranges })
const lockFile = z.object({ packages: z.record(z.string(), z.object({ resolved: z.string().optional() })) })

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '')

/** The installed package: its location, its origin, and the versions of its dependencies. */
type OwnPackage = z.infer<typeof packageJson>

export const ownPackage = (): OwnPackage =>
  packageJson.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

/**
 * The file or folder from which papertape was installed, absolute; undefined if it came from a registry.
 *
 * @param root  of the package
 */
export function installedFrom(root = ROOT): string | undefined {
  const modules = dirname(root)
  // A clone, or a linked package.
  if (basename(modules) !== 'node_modules') return root
  try {
    const lock = lockFile.parse(JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')))
    const [, path] = /^file:(.+)$/.exec(lock.packages['node_modules/papertape']?.resolved ?? '') ?? []
    const file = path === undefined ? undefined : resolve(dirname(modules), path)
    return file !== undefined && existsSync(file) ? file : undefined
  } catch {
    // Other package managers write none.
    return undefined
  }
}

/** Path and market of the tape of the project. */
export const TAPE = { file: 'data/btc_usd.csv.gz', symbol: 'BTC_USD' } as const

/** Workflow that GitHub runs after a push, and its part that runs `papertape expect`. */
export const WORKFLOW = '.github/workflows/test.yml'
export const ACTION = '.github/actions/papertape-expect/action.yml'

export interface ProjectTerms {
  readonly name: string
  readonly language: Language
  /** Dependency on papertape in package.json: a version range, or `file:` and a path. */
  readonly papertape: string
  /** Dependency on RxJS if it must be the linked copy: `file:` and a path. */
  readonly rxjs: string | undefined
  /** Source of all other versions. */
  readonly own: OwnPackage
}

/** Files in the order in which they are listed. */
export function projectFiles(terms: ProjectTerms): readonly ProjectFile[] {
  const { name, language } = terms
  const typescript = language === 'typescript' ? [{ path: 'tsconfig.json', text: jsonText(TSCONFIG) }] : []
  return [
    ...strategyFiles(TEMPLATE_NAME, language),
    { path: 'papertape.config.json', text: jsonText(configOf(language)) },
    { path: 'package.json', text: jsonText(packageOf(terms)) },
    ...typescript,
    { path: `vitest.config.${EXTENSION[language]}`, text: VITEST },
    { path: WORKFLOW, text: templateText('github/workflow.yml') },
    { path: ACTION, text: templateText('github/action.yml') },
    { path: 'README.md', text: readmeOf(name, language) },
    { path: '.env.example', text: ENV },
    { path: '.gitignore', text: IGNORED.map((each) => `${each}\n`).join('') },
  ]
}

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`

const strategyPath = (language: Language): string => `strategies/${TEMPLATE_NAME}.${EXTENSION[language]}`

function packageOf({ name, language, papertape, rxjs, own }: ProjectTerms): object {
  const isTyped = language === 'typescript'
  const range = (of: Readonly<Record<string, string>>, dependency: string): Readonly<Record<string, string>> => ({
    // An exact version is the one papertape is tested with; newer ones of the same major are compatible.
    [dependency]: (of[dependency] ?? '*').replace(/^(?=\d)/, '^'),
  })
  const { dependencies, devDependencies } = own
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      start: 'papertape backtest',
      watch: 'papertape backtest --watch',
      test: 'vitest run',
      check: `papertape check ${strategyPath(language)}`,
      expect: 'papertape expect',
      ...(isTyped && { types: 'tsc' }),
    },
    dependencies: {
      papertape,
      ...range({ ...dependencies, ...(rxjs !== undefined && { rxjs }) }, 'rxjs'),
      ...range(dependencies, 'zod'),
    },
    devDependencies: { ...(isTyped && range(devDependencies, 'typescript')), ...range(devDependencies, 'vitest') },
  }
}

const configOf = (language: Language): object => ({
  $schema: './node_modules/papertape/config.schema.json',
  strategy: strategyPath(language),
  tape: `${TAPE.symbol}=${TAPE.file}`,
  credit: { USD: '10000' },
  makerFee: '2',
  takerFee: '5',
})

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['strategies', 'test'],
}

/** Required: otherwise Vitest would use a config from a parent folder. */
const VITEST = `import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['test/**/*.test.*'] } })
`

function readmeOf(name: string, language: Language): string {
  const text = templateFor(templateText('README.md'), TEMPLATE_NAME, language).replace('# my-project', `# ${name}`)
  return language === 'typescript' ? text : text.replace(/^\| `npm run types` .*\n/m, '')
}

const ENV = `# Copy this file to .env, which stays out of git, and put your key here.
PAPERTAPE_API_KEY=
`

const IGNORED = ['node_modules/', '.env', 'runs/', 'papertape-check/', 'papertape.db*', 'expect-results.xml']
