/**
 * Makes clients of the OpenAPI document in Python, Go and Rust, and trades with each on an emulator: `npm run clients`,
 * after
 * `npm run build`. Those of TypeScript are a test.
 *
 * What it needs is fetched by pip, go and cargo into `.cache/clients`, so it is not for CI. A language that is not on
 * the machine is left out with a word. Exit code 1 when a client does not trade.
 */
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SCOPES, startEmulator } from 'papertape/emulator'

const PROGRAMS = fileURLToPath(new URL('clients/', import.meta.url))
const FOLDER = fileURLToPath(new URL('../.cache/clients/', import.meta.url))
const DOCUMENT = join(FOLDER, 'service.json')
const PYTHON = join(FOLDER, 'python/bin/python')

/** Output of each of them. */
const TRADED = ['OPEN 100', 'CANCELLED', 'FILLED', '1', 'USD', 'NO_LIQUIDITY'].join('\n')

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.5.0'
const CARGO = `[package]
name = "trade"
version = "0.0.0"
edition = "2021"

[dependencies]
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt"] }
trading = { path = "../openapi-generator-rust", default-features = false }
`

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]  the folder below `.cache/clients`
 */
async function run(command, args, { cwd = '.', env = {} } = {}) {
  const options = { cwd: join(FOLDER, cwd), env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(command, args, options)
  return stdout
}

async function preparePython() {
  if (!existsSync(PYTHON)) await run('python3', ['-m', 'venv', 'python'])
  const packages = [
    'openapi-python-client==0.29.1',
    'openapi-generator-cli==7.26.0',
    'pydantic',
    'urllib3',
    'python-dateutil',
  ]
  await run(PYTHON, ['-m', 'pip', 'install', '--quiet', ...packages])
}

/** @param {string} target @param {string} folder */
async function openApiGenerator(target, folder) {
  const args = ['generate', '-i', DOCUMENT, '-g', target, '-o', folder, '--additional-properties=packageName=trading']
  await run(join(FOLDER, 'python/bin/openapi-generator-cli'), args)
}

/**
 * @typedef {object} Client
 * @property {string} name
 * @property {readonly (readonly [string, string])[]} needs  programs, each with an argument by which it reports that it
 * is there
 * @property {() => Promise<void>} make
 * @property {(args: readonly string[]) => Promise<string>} trade  gives what it printed
 */

/** @type {readonly (readonly [string, string])[]} */
const PYTHON_NEEDS = [['python3', '--version']]
/** @type {readonly (readonly [string, string])[]} */
const GENERATOR_NEEDS = [...PYTHON_NEEDS, ['java', '-version']]

/** @type {readonly Client[]} */
const CLIENTS = [
  {
    name: 'Python, openapi-python-client',
    needs: PYTHON_NEEDS,
    make: async () => {
      await preparePython()
      const args = [
        'generate',
        '--path',
        DOCUMENT,
        '--output-path',
        'openapi-python-client/trading_client',
        '--overwrite',
      ]
      mkdirSync(join(FOLDER, 'openapi-python-client'), { recursive: true })
      const PATH = `${join(FOLDER, 'python/bin')}:${process.env.PATH ?? ''}`
      await run(join(FOLDER, 'python/bin/openapi-python-client'), [...args, '--meta', 'none'], { env: { PATH } })
    },
    trade: (args) =>
      run(PYTHON, [join(PROGRAMS, 'trade_openapi_python_client.py'), ...args], {
        env: { PYTHONPATH: join(FOLDER, 'openapi-python-client') },
      }),
  },
  {
    name: 'Python, openapi-generator',
    needs: GENERATOR_NEEDS,
    make: async () => {
      await preparePython()
      await openApiGenerator('python', 'openapi-generator-python')
    },
    trade: (args) =>
      run(PYTHON, [join(PROGRAMS, 'trade_openapi_generator.py'), ...args], {
        env: { PYTHONPATH: join(FOLDER, 'openapi-generator-python') },
      }),
  },
  {
    name: 'Go, oapi-codegen',
    needs: [['go', 'version']],
    make: async () => {
      await run('go', ['install', OAPI_CODEGEN], { env: { GOBIN: join(FOLDER, 'go') } })
      mkdirSync(join(FOLDER, 'oapi-codegen/trading'), { recursive: true })
      const args = [
        '-package',
        'trading',
        '-generate',
        'types,client',
        '-o',
        'oapi-codegen/trading/trading.go',
        DOCUMENT,
      ]
      await run(join(FOLDER, 'go/oapi-codegen'), args)
      copyFileSync(join(PROGRAMS, 'trade-oapi-codegen.go'), join(FOLDER, 'oapi-codegen/main.go'))
      if (!existsSync(join(FOLDER, 'oapi-codegen/go.mod')))
        await run('go', ['mod', 'init', 'clients'], { cwd: 'oapi-codegen' })
      await run('go', ['mod', 'tidy'], { cwd: 'oapi-codegen' })
    },
    trade: (args) => run('go', ['run', '.', ...args], { cwd: 'oapi-codegen' }),
  },
  {
    name: 'Rust, openapi-generator',
    needs: [...GENERATOR_NEEDS, ['cargo', '--version']],
    make: async () => {
      await preparePython()
      await openApiGenerator('rust', 'openapi-generator-rust')
      mkdirSync(join(FOLDER, 'trade-rust/src'), { recursive: true })
      writeFileSync(join(FOLDER, 'trade-rust/Cargo.toml'), CARGO)
      copyFileSync(join(PROGRAMS, 'trade-openapi-generator.rs'), join(FOLDER, 'trade-rust/src/main.rs'))
      await run('cargo', ['build', '--quiet'], { cwd: 'trade-rust' })
    },
    trade: (args) => run('cargo', ['run', '--quiet', '--', ...args], { cwd: 'trade-rust' }),
  },
]

/** @param {Client} client */
async function outcomeOf({ needs, make, trade }) {
  const missing = needs.find(([program, version]) => spawnSync(program, [version]).status !== 0)
  if (missing !== undefined) return `left out: there is no ${missing[0]} on this machine`
  await make()
  await emulator.reset()
  const printed = (await trade([emulator.baseUrl, emulator.users[0]?.keys[0] ?? ''])).trim()
  if (printed !== TRADED) throw new Error(`expected\n${TRADED}\ngot\n${printed}`)
  return 'trades'
}

const user = { email: 'a@example.com', credits: { USD: '1000', BTC: '1' }, keys: [{ scopes: SCOPES }] }
const emulator = await startEmulator({ virtualClock: true, config: { agents: false, users: [user] } })
mkdirSync(FOLDER, { recursive: true })
writeFileSync(DOCUMENT, await (await fetch(`${emulator.baseUrl}/openapi.json`)).text())
for (const client of CLIENTS) {
  try {
    console.log(`${client.name}: ${await outcomeOf(client)}`)
  } catch (error) {
    console.log(`${client.name}: does not trade`)
    console.error(error)
    process.exitCode = 1
  }
}
await emulator.close()
