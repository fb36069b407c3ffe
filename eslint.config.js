/**
 * Lint rules: typescript-eslint's strict, type-aware set, and the project's own of scripts/lint-rules.mjs. Editors read
 * them here, and `npm run lint` passes them to oxlint (oxlint.config.mjs).
 */
import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import papertape from './scripts/lint-rules.mjs'

/** @param {string[]} folders */
const inFolders = (...folders) => folders.map((folder) => `${folder}/**/*.ts`)

/** Where real time and chance come in; everyone else gets a clock or a seeded generator handed in. */
const HAS_THE_CLOCK = [
  ...inFolders('src/cli', 'src/server', 'src/adapter/live', 'src/run/sweep/machines'),
  ...inFolders('test/cli', 'test/server', 'test/adapter/live', 'test/uses'),
  ...inFolders('bench', 'pages', 'test/testing/check/faulty'),
  'vitest.config.ts',
]

/** What begins a process or a thread, or ends one; every other file of the command line has `io`. */
const HAS_THE_PROCESS = [
  'src/cli/{main,process-io,process-end,program-loader,run-thread-entry,bounds-thread-entry}.ts',
  ...inFolders('src/cli/thread'),
  'src/cli/mcp/child-command.ts',
]

/** Folders in which every file begins with a header that says plainly what it is. */
const PLAIN_HEADERS = ['src', 'strategies', 'examples', 'templates', 'pages']

export default defineConfig(
  // The last is written by a test, from the schema of the config file.
  globalIgnores(['dist/', 'bundle/', 'site/', 'coverage/', '.cache/', 'src/strategy/project-config.ts']),
  js.configs.recommended,
  {
    plugins: { papertape },
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
    rules: { eqeqeq: 'error', 'papertape/reasoned-disable': 'error' },
  },
  {
    // Checked by tsc (checkJs), whose JSDoc types are too loose for the type-aware rules.
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { requireDefaultForNonUnion: true }],
      // Softer than strict: `() => stop()`, `${count} rows` and the code points of [...text] hide nothing.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // The columns of a table test in a template are any to the compiler.
    files: inFolders('test'),
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: inFolders(...PLAIN_HEADERS),
    rules: { 'papertape/plain-header': 'error' },
  },
  {
    files: [...inFolders(...PLAIN_HEADERS, 'test', 'scripts', 'bench'), '**/*.mjs'],
    rules: { 'papertape/comment-width': 'error' },
  },
  {
    files: [...inFolders('src', 'pages'), 'scripts/**/*.mjs'],
    rules: { 'papertape/plain-comment': 'error' },
  },
  {
    files: inFolders('src'),
    rules: { 'papertape/plain-names': 'error' },
  },
  {
    files: inFolders('src', 'strategies'),
    rules: {
      // Every ?? and ?: counts, so a flat function that fills in defaults needs room; depth and length bind tighter.
      complexity: ['error', 16],
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: inFolders('src', 'strategies'),
    ignores: inFolders('src/cli'),
    rules: { 'no-console': 'error' },
  },
  {
    // The outside world is given to a command line, so that a test runs one without a process.
    files: inFolders('src/cli'),
    ignores: HAS_THE_PROCESS,
    rules: {
      'no-restricted-globals': ['error', { name: 'process', message: 'Use io of src/cli/cli-io.ts.' }],
      'no-restricted-imports': ['error', { name: 'node:process', message: 'Use io of src/cli/cli-io.ts.' }],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: HAS_THE_CLOCK,
    rules: { 'papertape/no-clock': 'error' },
  },
  {
    files: ['**/*.ts'],
    ignores: [
      ...inFolders(
        'strategies',
        'examples',
        'templates',
        'test/**/fixtures',
        'test/testing/check/faulty',
        'test/testing/check/honest',
      ),
      'vitest.config.ts',
      '**/mutant-tests.config.ts',
    ],
    rules: { 'papertape/no-default-export': 'error' },
  },
  {
    files: inFolders('src'),
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'error' },
  },
  {
    // One file an export of the package gathers what it has.
    files: inFolders('src'),
    ignores: ['src/{index,run,testing,liquidity,emulator,client}.ts'],
    rules: { 'papertape/no-barrel': 'error' },
  },
  {
    files: inFolders('src'),
    ignores: ['src/domain/decimal.ts'],
    rules: { 'papertape/no-decimals': 'error' },
  },
  {
    files: inFolders('src/domain', 'src/exchange', 'src/tape', 'src/arena', 'src/simulation'),
    rules: { 'papertape/no-inexact-math': 'error' },
  },
  {
    files: inFolders(
      'src/domain',
      'src/exchange',
      'src/tape',
      'src/analysis',
      'src/simulation',
      'src/import',
      'src/sweep',
      'src/store',
    ),
    rules: { 'papertape/no-streams': 'error' },
  },
  {
    files: inFolders('strategies', 'examples', 'templates/strategies'),
    rules: { 'papertape/no-inside-import': 'error' },
  },
)
