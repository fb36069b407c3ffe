/**
 * Who may import whom: the folder order of docs/architecture.md, held by a machine.
 */

/** A file imports from its own folder and from folders before it. */
const FOLDERS = [
  'domain',
  'exchange',
  'tape',
  'analysis',
  'arena',
  'simulation',
  'wire',
  'import',
  'store',
  'strategy',
  'adapter',
  'probe',
  'runtime',
  'sweep',
  'report',
  'run',
  'testing',
  'server',
  'cli',
]
/** These know only `domain`, wherever they stand in the order. */
const KNOW_ONLY_DOMAIN = ['exchange', 'tape', 'analysis']
/** Files of src itself: one an export of the package, `papertape` and `papertape/...`, and each gathers what it has. */
const EXPORTS = ['index', 'run', 'testing', 'liquidity', 'emulator', 'client']
/** Rooms of sweep that are arithmetic over results, as analysis is. */
const ARITHMETIC_OF_SWEEPS = ['sweep/search', 'sweep/selection']
/** Values in, values out. */
const WITHOUT_IO = ['domain', 'exchange', 'tape', 'analysis', 'arena', 'simulation', ...ARITHMETIC_OF_SWEEPS]

/** @param {string[]} names */
const anyOf = (names) => `(?:${names.join('|')})`

/**
 * @param {string} folder
 * @param {number} index  its place in the order
 */
const folderRule = (folder, index) => {
  const allowed = KNOW_ONLY_DOMAIN.includes(folder) ? ['domain', folder] : FOLDERS.slice(0, index + 1)
  return {
    name: `folder-order-${folder}`,
    comment: `src/${folder} imports only from ${allowed.map((name) => `src/${name}`).join(', ')}`,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: '^src/', pathNot: `^src/${anyOf(allowed)}/` },
  }
}

export default {
  forbidden: [
    ...FOLDERS.map(folderRule),
    {
      name: 'known-folders',
      comment: 'a new folder of src needs its place in the order',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: `^src/(?:${anyOf(EXPORTS)}\\.ts$|${anyOf(FOLDERS)}/)` },
    },
    {
      name: 'index-without-cli',
      comment:
        'what strategies and liquidity models import is loaded by every run: no command line, no server, nor what those need',
      severity: 'error',
      from: { path: '^src/(?:index|liquidity)\\.ts$' },
      to: {
        path: ['^src/(?:cli|server)/', '^node_modules/(?:better-sqlite3|pino|ws|yargs)/'],
        reachable: true,
      },
    },
    {
      name: 'pure-folders-do-no-io',
      comment: `${WITHOUT_IO.join(', ')} read no file, socket or clock`,
      severity: 'error',
      from: { path: `^src/${anyOf(WITHOUT_IO)}/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'arithmetic-of-sweeps',
      comment: 'how trials are searched and judged knows results alone: no run, no tape, no store',
      severity: 'error',
      from: { path: `^src/${anyOf(ARITHMETIC_OF_SWEEPS)}/` },
      to: { path: '^src/', pathNot: `^src/${anyOf(['domain', 'analysis', ...ARITHMETIC_OF_SWEEPS])}/` },
    },
    {
      name: 'one-loader-of-sqlite',
      comment: 'better-sqlite3 is optional: load-sqlite.ts loads it when it is asked for',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/database/load-sqlite\\.ts$' },
      to: { path: 'node_modules/better-sqlite3/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-entry-to-machines',
      comment: 'a sweep loads what runs on Redis by open-machines.ts alone; a worker is such a machine itself',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:run\\.ts$|run/sweep/machines/|cli/worker/)' },
      to: {
        path: '^src/run/sweep/machines/',
        pathNot: '^src/run/sweep/machines/open-machines\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'machines-only-when-asked',
      comment: 'a sweep without --redis loads nothing of it',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/run/sweep/machines/' },
      to: { path: '^src/run/sweep/machines/open-machines\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-room-cycles',
      comment:
        'of two folders only one knows the other; files that stand beside the rooms of their folder count for none of them',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'server-before-emulator',
      comment:
        'serve.ts serves whatever market there is; the emulator makes one and has it served; parity and the arena ask for an emulator',
      severity: 'error',
      from: { path: '^src/server/', pathNot: '^src/server/(?:emulator|parity|arena)/' },
      to: { path: '^src/server/emulator/' },
    },
    {
      name: 'no-orphans',
      comment: 'a file that imports nothing and that nobody imports',
      severity: 'error',
      from: { orphan: true, path: '^src/' },
      to: {},
    },
    {
      name: 'no-barrels',
      comment: 'import from the file that has it; only the exports of the package gather',
      severity: 'error',
      from: {},
      to: { path: '^(?:src|test)/.+/index\\.ts$' },
    },
    {
      name: 'no-nameless-names',
      comment: 'name the file after what it holds',
      severity: 'error',
      from: {},
      to: { path: '/(?:utils?|helpers?|common|managers?)(?:/|\\.ts$)', pathNot: '^node_modules/' },
    },
    {
      name: 'src-stands-alone',
      comment: 'src knows neither its tests nor what is built on it',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(?:test|bench|examples|strategies|templates|scripts|bin|dist|bundle)/' },
    },
    {
      name: 'twin-judges-by-itself',
      comment: 'the naive exchange takes types of src, and the error that it throws; its numbers are its own',
      severity: 'error',
      from: { path: '^test/twin/' },
      to: { path: '^src/', pathNot: '^src/domain/errors\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'written-as-a-user-would',
      comment:
        'strategies and examples import papertape and its exports, rxjs and zod, so that they can be copied out of here',
      severity: 'error',
      from: { path: '^(?:strategies|examples|templates/strategies)/', pathNot: '^examples/.+\\.mjs$' },
      to: {
        pathNot: [`^src/${anyOf(EXPORTS)}\\.ts$`, '^node_modules/(?:rxjs|zod)/'],
      },
    },
    {
      name: 'programs-written-as-a-user-would',
      comment: 'an example that is a program may use what Node has as well',
      severity: 'error',
      from: { path: '^examples/.+\\.mjs$', pathNot: '^examples/ccxt/' },
      to: {
        pathNot: [`^src/${anyOf(EXPORTS)}\\.ts$`, '^node_modules/(?:rxjs|zod)/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'resolvable',
      comment: 'ccxt is installed by the test of its example alone',
      severity: 'error',
      from: { pathNot: '^examples/ccxt/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependencies-in-src',
      comment: 'whoever installs papertape does not get its devDependencies',
      severity: 'error',
      from: { path: '^(?:src|strategies|bin)/' },
      // A peer is the user's to install; it is here for the tests.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
  ],
  options: {
    exclude: { path: '^(?:dist|bundle|site|coverage|\\.cache)/' },
    doNotFollow: { path: '^node_modules/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
}
