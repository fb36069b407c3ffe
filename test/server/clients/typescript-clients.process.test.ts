/**
 * Clients that generators make of the OpenAPI document that is served: type-checked, and trading.
 *
 * Those of Python, Go and Rust need what is not on every machine: `npm run clients`.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import { SCOPES } from '../../../src/server/service/api-key.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { keyOf } from '../rig/emulator-caller.ts'
import { HEY_API, OPENAPI_FETCH } from './rig/typescript-programs.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const INSTALLED = ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types']
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmitOnError: true,
    outDir: 'built',
  },
  include: ['*.ts'],
}
const TRADED = 'OPEN 100\nCANCELLED\nFILLED\n1\nUSD\nNO_LIQUIDITY\n'

const { folder, write } = temporaryFiles()
const node = (file: string, ...args: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, [file, ...args], { cwd: folder })

let emulator: Emulator
beforeAll(async () => {
  const user = { email: 'a@example.com', credits: { USD: '1000', BTC: '1' }, keys: [{ scopes: SCOPES }] }
  emulator = await startEmulator({ virtualClock: true, config: { agents: false, users: [user] } })
  for (const name of INSTALLED) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(MODULES, name), link)
  }
  write(JSON.stringify({ type: 'module' }), 'package.json')
  write(JSON.stringify(TSCONFIG), 'tsconfig.json')
  write(OPENAPI_FETCH, 'openapi-fetch.ts')
  write(HEY_API, 'hey-api.ts')
  write(await (await fetch(`${emulator.baseUrl}/openapi.json`)).text(), 'service.json')
  await Promise.all([
    node(`${MODULES}openapi-typescript/bin/cli.js`, 'service.json', '-o', 'service.ts'),
    node(`${MODULES}@hey-api/openapi-ts/bin/run.js`, '-i', 'service.json', '-o', 'hey', '--silent'),
  ])
  // Its words of what does not compile stand on stdout.
  const compiled = node(`${MODULES}typescript/bin/tsc`, '-p', folder).catch((error: unknown) => error)
  expect(await compiled).toMatchObject({ stdout: '' })
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

it.each(['openapi-fetch', 'hey-api'])(
  '%s places, reads, cancels and fills orders, and reports of an error',
  async (name) => {
    const { stdout } = await node(`built/${name}.js`, emulator.baseUrl, keyOf(emulator))
    expect(stdout).toBe(TRADED)
  },
)
