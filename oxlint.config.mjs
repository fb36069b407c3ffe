/**
 * The rules of eslint.config.js for `npm run lint`: oxlint checks them in a fifth of the processor time of ESLint.
 *
 * Known limit: ESLINT_ONLY is checked in editors only.
 */
import rules from './eslint.config.js'

/**
 * Rules that oxlint lacks. The first two are syntax errors in a module, and the next three are off. TypeScript itself
 * checks the last one for classes with a `#field`.
 */
const ESLINT_ONLY = new Set([
  ...['no-dupe-args', 'no-octal', 'no-new-symbol', 'no-return-await', 'dot-notation'],
  '@typescript-eslint/no-unsafe-class-instance-assignment',
])

/** @param {Record<string, unknown>} rules */
const inOxlint = (rules) => Object.fromEntries(Object.entries(rules).filter(([name]) => !ESLINT_ONLY.has(name)))

const overrides = rules
  .filter(({ rules, languageOptions }) => rules ?? languageOptions?.globals)
  .map(({ files = ['**/*'], ignores = [], languageOptions, rules = {} }) => ({
    files: files.flat(),
    excludeFiles: ignores,
    globals: languageOptions?.globals ?? {},
    rules: inOxlint(rules),
  }))

export default {
  plugins: ['typescript'],
  jsPlugins: [{ name: 'papertape', specifier: './scripts/lint-rules.mjs' }],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: rules.flatMap(({ files, rules, ignores = [] }) => ((files ?? rules) ? [] : ignores)),
  overrides: [{ files: ['**/*.cjs'], env: { commonjs: true } }, ...overrides],
}
