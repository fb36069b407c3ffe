/**
 * docs/first-strategy.md: each of its commands, one after the other, as a new user types them in a clone.
 *
 * What npm would install is linked from here.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Living } from '../cli/rig/living.ts'
import { BIN } from '../cli/rig/run-cli.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(PROJECT, 'docs/first-strategy.md'), 'utf8')
const commands = [...PAGE.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, body = '']) => body.trimEnd().split('\n'))

const { folder } = temporaryFiles()
/** Stands for the clone: projects are made next to it. */
let cwd = join(folder, 'papertape')
mkdirSync(cwd)

/** What `npm install` leaves. */
function install(): void {
  const modules = join(cwd, 'node_modules')
  mkdirSync(modules)
  for (const name of ['rxjs', 'zod', 'vitest', 'typescript']) symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name)) // prettier-ignore
  symlinkSync(PROJECT, join(modules, 'papertape'))
  mkdirSync(join(modules, '.bin'))
  symlinkSync(BIN, join(modules, '.bin/papertape'))
  symlinkSync(join(PROJECT, 'node_modules/vitest/vitest.mjs'), join(modules, '.bin/vitest'))
  symlinkSync(join(PROJECT, 'node_modules/typescript/bin/tsc'), join(modules, '.bin/tsc'))
}

async function outputOf(command: string): Promise<string> {
  const isOurs = /^npx (?:papertape|vitest) /.test(command)
  const path = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const words = isOurs
    ? command.replace(/^npx papertape/, `"${process.execPath}" "${BIN}"`).replace(/^npx /, '')
    : command
  const { stdout } = await promisify(execFile)('bash', ['-c', words], { cwd, env: { ...process.env, PATH: path } })
  return stdout
}

async function watched(command: string): Promise<void> {
  const living = new Living(command.split(' ').slice(3), { cwd, env: {} }, 'backtest')
  await living.says('digest sha256:')
  expect(await living.stop()).toBe(0)
}

it('begins with a project', () => {
  expect(commands[0]).toBe('npx papertape init ../my-bot')
})

describe('docs/first-strategy.md', () => {
  it.each(commands)('%s', async (command) => {
    if (command === 'npm install') install()
    else if (command.startsWith('cd ')) cwd = join(cwd, command.slice(3))
    else if (command.endsWith(' --watch')) await watched(command)
    else expect(await outputOf(command)).not.toBe('')
  })
})
