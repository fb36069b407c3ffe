/**
 * Strategies from files of a user, anywhere on the disk, without a build step.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/decimal.ts'
import { InputError } from '../../../src/domain/errors.ts'
import { readyStrategies } from '../../../src/runtime/strategies/ready-strategies.ts'
import { loadStrategy } from '../../../src/runtime/strategies/strategy-file.ts'
import { TapeLiquidity } from '../../../src/simulation/liquidity/tape.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { runStrategy } from '../rig/run-strategy.ts'

const files = temporaryFiles()

const SOUND = `
import { defineStrategy, type Intent } from 'papertape'
import { map, timer } from 'rxjs'
import { take } from 'rxjs/operators'
import { z } from 'zod'

const enum Never {}
interface Wish { readonly qty: number }

export default defineStrategy({
  name: 'mine',
  params: z.object({ symbol: z.string(), qty: z.int().default(2) }),
  run: ({ params, buyMarket }) => timer(1_500).pipe(take(1), map((): Intent => {
    const wish: Wish = { qty: params.qty satisfies number }
    return buyMarket(params.symbol, wish.qty)
  })),
})
`

/** The message of the refusal. */
async function refusalOf(reference: string): Promise<string> {
  try {
    await loadStrategy(reference)
  } catch (error) {
    expect(error).toBeInstanceOf(InputError)
    return (error as InputError).message
  }
  throw new Error('it was not refused')
}

describe('a TypeScript file', () => {
  it('is loaded with its imports of papertape, rxjs and zod, and runs on virtual time', async () => {
    const path = files.write(SOUND, 'mine.ts')
    const { strategy, reference, isReady, sha256, path: loadedPath } = await loadStrategy(path)
    expect({ reference, isReady, loadedPath, name: strategy.name }).toEqual({
      reference: path,
      isReady: false,
      loadedPath: path,
      name: 'mine',
    })
    expect(sha256).toBe(createHash('sha256').update(SOUND).digest('hex'))
    const params = strategy.params.parse({ symbol: 'BTC_USD' })
    const run = await runStrategy(strategy, {
      tapes: [
        memoryTape([
          [0, 100, 1],
          [9_000, 101, 1],
        ]),
      ],
      params,
    })
    expect(run.result.failure).toBeUndefined()
    expect(run.fills.map(({ qty, createdAt }) => `${qty.toFixed()} at ${createdAt}`)).toEqual(['2 at 1550'])
  })

  it('has the classes of the run, not copies of them', async () => {
    const source = `
import { Decimal, InputError, defineStrategy } from 'papertape'
import { TapeLiquidity } from 'papertape/liquidity'
import { Observable } from 'rxjs'
import { z } from 'zod'
const classes = [Observable, InputError, Decimal, TapeLiquidity]
export default defineStrategy({ name: 'mine', params: z.object({}), run: () => new Observable(), classes } as never)
`
    const { strategy } = await loadStrategy(files.write(source, 'classes.ts'))
    expect(strategy).toMatchObject({ classes: [Observable, InputError, Decimal, TapeLiquidity] })
  })

  it('may import files beside it', async () => {
    files.write('export const NAME: string = "beside"', 'name.ts')
    const path = files.write(
      SOUND.replace("name: 'mine'", 'name: NAME').concat("\nimport { NAME } from './name.ts'\n"),
      'imports.ts',
    )
    expect((await loadStrategy(path)).strategy.name).toBe('beside')
  })

  it('is loaded again each time', async () => {
    const path = files.write(SOUND, 'anew.ts')
    await loadStrategy(path)
    files.write(SOUND.replace("name: 'mine'", "name: 'changed'"), 'anew.ts')
    expect((await loadStrategy(path)).strategy.name).toBe('changed')
  })

  it('is found by a relative path, too', async () => {
    const path = relative(process.cwd(), files.write(SOUND, 'relative.ts'))
    expect((await loadStrategy(path)).reference).toBe(path)
  })

  it('may have a space and letters of any script in its name', async () => {
    expect((await loadStrategy(files.write(SOUND, 'mein Vermögen.ts'))).strategy.name).toBe('mine')
  })
})

describe('a JavaScript file', () => {
  const javaScript = `
import { NEVER } from 'rxjs'
import { z } from 'zod'
export default { name: 'plain', params: z.object({}), run: () => NEVER }
`
  it.each(['plain.js', 'plain.mjs'])('is loaded: %s', async (name) => {
    expect((await loadStrategy(files.write(javaScript, name))).strategy.name).toBe('plain')
  })

  it('of CommonJS is loaded when it exports a default', async () => {
    const commonJs = `
const { NEVER } = require('rxjs')
const { z } = require('zod')
module.exports = { default: { name: 'common', params: z.object({}), run: () => NEVER } }
`
    expect((await loadStrategy(files.write(commonJs, 'common.cjs'))).strategy.name).toBe('common')
  })
})

describe('is refused', () => {
  const GOOD = { name: "'mine'", params: 'z.object({})', run: '() => NEVER' }
  const source = (parts: Partial<typeof GOOD>): string => {
    const { name, params, run } = { ...GOOD, ...parts }
    return `import { NEVER } from 'rxjs'\nimport { z } from 'zod'\nexport default { name: ${name}, params: ${params}, run: ${run} }`
  }

  it.each`
    content                              | message                                                                                                    | why
    ${'export default {'}                | ${/cannot be loaded: /}                                                                                    | ${'does not parse'}
    ${"throw new Error('at the top')"}   | ${/cannot be loaded: at the top$/}                                                                         | ${'throws'}
    ${"import './gone.ts'"}              | ${/cannot be loaded: .*gone\.ts/}                                                                          | ${'imports what is not there'}
    ${''}                                | ${/has no default export; write `export default defineStrategy\(\{ \.\.\. \}\)`/}                          | ${'is empty'}
    ${'export const strategy = {}'}      | ${/has no default export/}                                                                                 | ${'exports by a name only'}
    ${'export default null'}             | ${/has no default export/}                                                                                 | ${'exports nothing'}
    ${'export default () => 1'}          | ${/its default export is a function/}                                                                      | ${'exports a function'}
    ${source({ name: 'undefined' })}     | ${/its strategy has no name/}                                                                              | ${'has no name'}
    ${source({ name: "''" })}            | ${/its strategy has no name/}                                                                              | ${'has an empty name'}
    ${source({ run: 'undefined' })}      | ${/strategy 'mine' has no function run/}                                                                   | ${'has no run'}
    ${source({ params: 'undefined' })}   | ${/the params of strategy 'mine' are not a z\.object: if it has none, write `params: z\.object\(\{\}\)`$/} | ${'has no params'}
    ${source({ params: '{ fast: 1 }' })} | ${/the params of strategy 'mine' are not a z\.object: if it has none, write `params: z\.object\(\{\}\)`$/} | ${'has params without a schema'}
    ${source({ params: 'z.string()' })}  | ${/the params of strategy 'mine' are not a z\.object: if it has none, write `params: z\.object\(\{\}\)`$/} | ${'has params of another schema'}
  `('a file that $why', async ({ content, message }) => {
    const path = files.write(String(content), 'broken.ts')
    const refusal = await refusalOf(path)
    expect(refusal.startsWith(`${path}: `)).toBe(true)
    expect(refusal).toMatch(message)
    expect(refusal).not.toContain('\n')
  })

  it.each`
    schema                                                            | fault
    ${'z.bigint().default(5n)'}                                       | ${'is not JSON (a bigint)'}
    ${'z.any().default(() => () => 1)'}                               | ${'is not JSON (a function)'}
    ${'z.any().default(NaN).describe("size")'}                        | ${'is not JSON (NaN)'}
    ${'z.any().prefault(Symbol("x"))'}                                | ${'is not JSON (a symbol)'}
    ${'z.any().default(new Map())'}                                   | ${'is not JSON (a Map)'}
    ${'z.any().default(() => { const a = []; a.push(a); return a })'} | ${'is not JSON (an object that contains itself at 0)'}
    ${'z.object({ lots: z.bigint().default(1n) }).optional()'}        | ${'is not JSON (a bigint)'}
    ${'z.int().default(() => { throw new Error("gone\\nbad") })'}     | ${'throws: gone'}
  `('a file with a default of $schema', async ({ schema, fault }) => {
    const path = files.write(source({ params: `z.object({ size: ${schema} })` }), 'broken.ts')
    const refusal = await refusalOf(path)
    expect(refusal.startsWith(`${path}: the default of parameter 'size' ${fault}`)).toBe(true)
    expect(refusal).not.toContain('\n')
  })

  it('a path that is not there, with the nearest ready strategy', async () => {
    expect(await refusalOf('sma-cros')).toMatch(
      /^sma-cros: no such file, and no ready strategy has this name; did you mean 'sma-cross'\?$/,
    )
    expect(await refusalOf('./zzzzzzzzzzzzzzzz.ts')).toMatch(/ready strategies: .*sma-cross/)
  })

  it('a file of another kind, and a folder', async () => {
    expect(await refusalOf(files.write('{}', 'strategy.json'))).toMatch(/expected a strategy file ending in \.ts, /)
    mkdirSync(join(files.folder, 'folder.ts'))
    expect(await refusalOf(join(files.folder, 'folder.ts'))).toMatch(/expected a strategy file/)
  })

  it('a name that leads out of the folder of ready strategies', async () => {
    expect(await refusalOf('../src/index')).toMatch(/no such file, and no ready strategy has this name/)
  })
})

describe('ready strategies', () => {
  it('are loaded by their name', async () => {
    expect(readyStrategies()).toContain('sma-cross')
    for (const name of readyStrategies()) {
      const { strategy, isReady } = await loadStrategy(name)
      expect([strategy.name, isReady]).toEqual([name, true])
    }
  })

  it('by their path are ready, too', async () => {
    expect((await loadStrategy('strategies/sma-cross.ts')).isReady).toBe(true)
  })
})
