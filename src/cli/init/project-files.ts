/**
 * The files of a new project as text, but for its tape.
 */
import {
  EXTENSION,
  type Language,
  type ProjectFile,
  strategyFiles,
  TEMPLATE_NAME,
  templateFor,
  templateText,
} from '../new/strategy-template.ts'
import type { OwnPackage } from './own-package.ts'

/** Where the tape of the project lies, and its market. */
export const TAPE = { file: 'data/btc_usd.csv.gz', symbol: 'BTC_USD' } as const

export interface ProjectTerms {
  readonly name: string
  readonly language: Language
  /** What package.json says of papertape: a range of versions, or `file:` and a path. */
  readonly papertape: string
  /** What it says of RxJS, where the versions that go with papertape do not do: `file:` and a path. */
  readonly rxjs: string | undefined
  /** Has the versions of everything else. */
  readonly own: OwnPackage
}

/** In the order in which they are told. */
export function projectFiles(terms: ProjectTerms): readonly ProjectFile[] {
  const { name, language } = terms
  const typescript = language === 'typescript' ? [{ path: 'tsconfig.json', text: jsonText(TSCONFIG) }] : []
  return [
    ...strategyFiles(TEMPLATE_NAME, language),
    { path: 'papertape.config.json', text: jsonText(configOf(language)) },
    { path: 'package.json', text: jsonText(packageOf(terms)) },
    ...typescript,
    { path: `vitest.config.${EXTENSION[language]}`, text: VITEST },
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
    // An exact version is what papertape itself is tested with; a newer one of the same major does as well.
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

/** A file of its own: without one, Vitest takes the nearest one in the folders above. */
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

const IGNORED = ['node_modules/', '.env', 'runs/', 'papertape-check/', 'papertape.db*']
