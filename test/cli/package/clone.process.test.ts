/**
 * The command in a clone: its first call bundles the program, and so does the first one after a pull that brought other
 * sources.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { runProgram } from '../rig/run-cli.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const PARTS = [
  'bin',
  'src',
  'pages',
  'scripts',
  'docs/statistics.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'LICENSE',
  'strategies',
  'templates',
  'examples',
]
const { folder } = temporaryFiles()

it('runs what the clone has, whether it was bundled before or not', async () => {
  for (const part of PARTS) cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
  const modules = join(folder, 'node_modules')
  symlinkSync(join(PROJECT, 'node_modules'), modules, 'dir')
  const log = join(folder, '.git/logs/HEAD')
  mkdirSync(dirname(log), { recursive: true })
  const commandLine = join(folder, 'src/cli/command-line.ts')
  const change = (text: string): void => {
    writeFileSync(commandLine, readFileSync(commandLine, 'utf8').replace(/^Try .*:$/m, text))
  }
  const reported = async () => {
    const { code, stdout, stderr } = await runProgram([join(folder, 'bin/papertape.js')], { cwd: folder })
    return { code, said: /^(?:Try|Then) .*:$/m.exec(stdout)?.[0], stderr }
  }

  writeFileSync(log, 'cloned\n')
  expect(await reported()).toEqual({ code: 0, said: 'Try first:', stderr: '' })
  // Edited, and not pulled.
  change('Try now:')
  expect(await reported()).toMatchObject({ said: 'Try first:', stderr: '' })
  writeFileSync(log, 'cloned\npulled\n')
  expect(await reported()).toEqual({ code: 0, said: 'Try now:', stderr: '' })
  expect(await reported()).toMatchObject({ said: 'Try now:' })

  // A pull brought packages that are not installed: one is needed on demand only, the other by every command.
  const pulled = (text: string, missing: string): void => {
    rmSync(modules, { recursive: true })
    mkdirSync(modules)
    const installed = readdirSync(join(PROJECT, 'node_modules')).filter((name) => name !== missing)
    for (const name of installed) symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name), 'dir')
    change(text)
    writeFileSync(log, `${readFileSync(log, 'utf8')}pulled\n`)
  }
  pulled('Try once:', 'hyparquet-compressors')
  expect(await reported()).toEqual({ code: 0, said: 'Try once:', stderr: '' })
  pulled('Try twice:', 'yargs')
  const older = await reported()
  expect(older).toMatchObject({ code: 0, said: 'Try once:' })
  expect(older.stderr).toMatch(
    /^papertape: runs an older build of it: Build failed with .* Could not resolve "yargs.*; run npm ci\n$/,
  )

  // Without the packages that bundle, what is there runs, and says what it is.
  rmSync(modules, { recursive: true })
  change('Try later:')
  writeFileSync(log, `${readFileSync(log, 'utf8')}pulled\n`)
  const { code, said, stderr } = await reported()
  expect([code, said]).toEqual([0, 'Try once:'])
  expect(stderr).toMatch(/^papertape: runs an older build of it: .*esbuild.*\n$/)
})
