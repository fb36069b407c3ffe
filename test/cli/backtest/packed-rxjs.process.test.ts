/**
 * The program reads RxJS as one file. Packages that a strategy imports load RxJS from node_modules, and have to get
 * that same copy.
 */
import { mkdirSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliFolder, runProgram } from '../rig/run-cli.ts'
import { strategySource, TRADES } from '../rig/sample-files.ts'

const { write, folder, cli } = cliFolder()
const require = createRequire(import.meta.url)

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const rxjsFolder = dirname(require.resolve('rxjs/package.json'))
/** Packages, by name: of each form, and one that imports a module within RxJS. */
const PACKAGES = {
  esm: { type: 'module', main: "export { Observable, timer } from 'rxjs'" },
  cjs: {
    type: 'commonjs',
    main: "exports.Observable = require('rxjs').Observable\nexports.timer = require('rxjs').timer",
  },
  deep: {
    type: 'commonjs',
    main:
      "exports.Observable = require('rxjs/internal/Observable').Observable\n" +
      "exports.timer = require('rxjs/internal/observable/timer').timer",
  },
}
const NAMES = Object.keys(PACKAGES)

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(rxjsFolder, join(folder, 'node_modules/rxjs'), 'junction')
  for (const [name, { type, main }] of Object.entries(PACKAGES)) {
    mkdirSync(join(folder, 'node_modules', name))
    write(JSON.stringify({ name, version: '1.0.0', type, main: 'main.js' }), `node_modules/${name}/package.json`)
    write(main, `node_modules/${name}/main.js`)
  }
  write(TRADES, 'tape.csv')
  const imports = NAMES.map((name) => `import * as ${name} from '${name}'`).join('\n')
  const run = `const seen = [${NAMES.join(', ')}].map((copy) => copy.Observable === Observable)
    return trades(params.symbol).pipe(first(), concatMap(() => esm.timer(30_000)), tap(() => log(seen.join(' ') + ' at ' + now())), ignoreElements())`
  write(`${imports}\nimport { Observable } from 'rxjs'\n${strategySource({ run })}`, 'packages.js')
})

describe('a program', () => {
  it.each([
    ['RxJS', "import { Subject } from 'rxjs'"],
    ['a module within RxJS', "import { Subject } from 'rxjs/internal/Subject'"],
  ])('that imports %s beside papertape has one copy, whichever comes first', async (_, own) => {
    const papertape = `import { backtest } from '${pathToFileURL(join(PROJECT, 'bundle/run.js')).href}'`
    const rest =
      "const { BehaviorSubject } = await import('rxjs')\nconsole.log(typeof backtest, new BehaviorSubject(1) instanceof Subject)"
    for (const [index, head] of [`${own}\n${papertape}`, `${papertape}\n${own}`].entries()) {
      write(`${head}\n${rest}`, `program-${index}.mjs`)
      const { code, stdout } = await runProgram([join(folder, `program-${index}.mjs`)], { cwd: folder })
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'function true\n' })
    }
  })
})

describe('packages of a strategy', () => {
  it('have the RxJS of the program, whose timers follow the market', async () => {
    const { code, stderr } = await cli('backtest', 'packages.js', '--tape', 'A_USD=tape.csv')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('true true true at 1700000030000') as string,
    })
  })
})
