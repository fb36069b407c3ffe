/**
 * A project of `papertape init` with the packed package, as npm would install it: what is packed is unpacked into
 * node_modules, and what it depends on is there already.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const { folder } = temporaryFiles()
const tools = join(folder, 'tools/node_modules')
const run = promisify(execFile)

/** Links everything that is installed here, but for the package itself. */
function linkModules(target: string): void {
  const source = join(PROJECT, 'node_modules')
  const names = readdirSync(source).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(source, name)).map((inner) => `${name}/${inner}`) : [name],
  )
  for (const name of names.filter((each) => !each.startsWith('.') && each !== 'papertape')) {
    mkdirSync(dirname(join(target, name)), { recursive: true })
    symlinkSync(join(source, name), join(target, name))
  }
}

let packed: string

beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: PROJECT,
    maxBuffer: 2 ** 26,
  })
  const [, name = ''] = /"filename": "([^"]+\.tgz)"/.exec(stdout) ?? []
  packed = join(folder, name)
  mkdirSync(join(tools, 'papertape'), { recursive: true })
  expect(spawnSync('tar', ['-xzf', packed, '-C', join(tools, 'papertape'), '--strip-components=1']).status).toBe(0)
  linkModules(tools)
})

describe.each(['typescript', 'javascript'] as const)('a project in %s', (language) => {
  const bot = join(folder, `a bot in ${language}`)

  beforeAll(() => {
    // A configuration of Vitest in a folder above, as in a clone, is none of the project's.
    writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { setupFiles: ['not-there.ts'] } }\n")
  })
  const inBot = async (...args: string[]): Promise<string> => {
    const [command = '', ...flags] = args
    const bin = { papertape: 'papertape/bin/papertape.js', vitest: 'vitest/vitest.mjs', tsc: 'typescript/bin/tsc' }
    const file = Object.entries(bin).find(([name]) => name === command)?.[1] ?? ''
    const env = { PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1' }
    const { stdout } = await run(process.execPath, [join(bot, 'node_modules', file), ...flags], { cwd: bot, env })
    return stdout
  }

  /** What `npm run` of it would do. */
  const script = async (name: string): Promise<string> => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(bot, 'package.json'), 'utf8'))
    return await inBot(...(scripts[name] ?? '').split(' '))
  }

  beforeAll(async () => {
    const flags = ['init', bot, '--papertape', packed, ...(language === 'javascript' ? ['--javascript'] : [])]
    await run(process.execPath, [join(tools, 'papertape/bin/papertape.js'), ...flags], { cwd: folder })
    symlinkSync(tools, join(bot, 'node_modules'))
  })

  it('depends on the package that was named', () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync(join(bot, 'package.json'), 'utf8')) // prettier-ignore
    expect(dependencies.papertape).toMatch(/^file:\.\.\/papertape-.+\.tgz$/)
  })

  it('shows a result at its start', async () => {
    expect(await script('start')).toMatch(/^strategy {5}my-strategy[^]*^orders {7}[1-9]\d*, none refused$[^]*^digest /m)
  })

  it('passes its test, and that of another strategy', async () => {
    await inBot('papertape', 'new', 'strategy', 'another')
    expect(await script('test')).toMatch(/Tests {2}4 passed/)
  })

  it('has nothing that a check finds', async () => {
    expect(await inBot(...`papertape check strategies/my-strategy.${language === 'typescript' ? 'ts' : 'js'} --runs 20`.split(' '))).toContain('no faults found in 20 markets') // prettier-ignore
  })

  it('compiles, where it has types', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(bot, 'package.json'), 'utf8'))
    if (language === 'typescript') expect(await script('types')).toBe('')
    else expect(Object.keys(scripts)).toEqual(['start', 'watch', 'test', 'check', 'expect'])
  })

  it('has a config whose schema is there', () => {
    const config = JSON.parse(readFileSync(join(bot, 'papertape.config.json'), 'utf8')) as { $schema: string }
    expect(JSON.parse(readFileSync(join(bot, config.$schema), 'utf8'))).toMatchObject({
      title: 'papertape.config.json',
    })
  })
})
