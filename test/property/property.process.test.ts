/**
 * A property that fails prints the one command that repeats it. In the process that this file starts, it is that
 * property.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertySettings } from './property-settings.ts'
import { again, PROPERTY_SEED, runs } from './property.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LAW = "is no multiple of 97 (it's wrong)"
const CHILD = { ...process.env, PROPERTY_CHILD: 'yes', NO_COLOR: '1' }

if (process.env.PROPERTY_CHILD === undefined) {
  describe('a property that fails', () => {
    it('is reported with its seed, and with the one command that fails in the same way', async () => {
      const first = await reported('npx vitest run --project process test/property', { PROPERTY_SEED: 'random' })
      const [, seed] = /^PROPERTY_SEED=([0-9]+)$/m.exec(first) ?? []
      const [, command = ''] = /again: (.+)$/m.exec(first) ?? []
      expect(command).toBe(
        `PROPERTY_SEED=${seed} npx vitest run --project process test/property/property.process.test.ts -t 'an integer is no multiple of 97 .it.s wrong.'`,
      )
      expect(failureIn(first)).toContain(`{ seed: ${seed}, path: "`)
      expect(failureIn(await reported(command))).toBe(failureIn(first))
    })
  })

  describe('the settings of a run', () => {
    const settings = (env: NodeJS.ProcessEnv) => propertySettings(env, (below) => below - 1)

    it.each`
      env                                              | expected                             | why
      ${{}}                                            | ${{ seed: 20_250_101, times: 1 }}    | ${'the same everywhere'}
      ${{ PROPERTY_SEED: '0', PROPERTY_TIMES: '100' }} | ${{ seed: 0, times: 100 }}           | ${'what is asked for'}
      ${{ PROPERTY_TIMES: '0.25' }}                    | ${{ seed: 20_250_101, times: 0.25 }} | ${'a quarter of it'}
      ${{ PROPERTY_SEED: 'random' }}                   | ${{ seed: 1_073_741_823, times: 1 }} | ${'a seed that is drawn'}
    `('$why: $env', ({ env, expected }) => expect(settings(env)).toEqual(expected))

    it.each`
      env                                | message
      ${{ PROPERTY_SEED: '-1' }}         | ${"PROPERTY_SEED: expected an integer from 0 to 2147483647, got '-1'"}
      ${{ PROPERTY_SEED: '2147483648' }} | ${"got '2147483648'"}
      ${{ PROPERTY_SEED: '' }}           | ${"got ''"}
      ${{ PROPERTY_TIMES: '0' }}         | ${"PROPERTY_TIMES: expected a number above 0, such as 10 or 0.25, got '0'"}
    `('refuse $env', ({ env, message }) => expect(() => settings(env)).toThrow(message))

    it('reach every test, and fast-check', () => {
      expect(fc.readConfigureGlobal().seed).toBe(PROPERTY_SEED)
      expect(runs(7)).toBe(7)
      expect(again(5)).toContain(
        'PROPERTY_SEED=5 npx vitest run --project process test/property/property.process.test.ts',
      )
    })
  })
} else {
  describe('an integer', () => {
    it(LAW, () => {
      fc.assert(
        fc.property(fc.integer(), (value) => {
          expect(value % 97).not.toBe(0)
        }),
        { numRuns: 10_000 },
      )
    })
  })
}

/** What a command prints that must fail. */
async function reported(command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const run = promisify(execFile)('sh', ['-c', command], { cwd: ROOT, env: { ...CHILD, ...env } })
  const failure: unknown = await run.catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1 })
  const { stdout, stderr } = failure as { readonly stdout: string; readonly stderr: string }
  return `${stdout}${stderr}`
}

/** The part of the text that reports which value failed, and after how many others. */
const failureIn = (text: string): string | undefined =>
  /Property failed after [0-9]+ tests\n\{ seed: .*\}\nCounterexample: .*\nShrunk .*$/m.exec(text)?.[0]
