import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Runs a module in a process of its own, from the root of the project: there, `papertape` is the built package itself. */
async function outputOf(source: string): Promise<string> {
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { cwd })
  return stdout
}

it('a program starts an emulator from the package, and ends when it has closed it', async () => {
  const output = await outputOf(`
    import { startEmulator } from 'papertape/emulator'
    const emulator = await startEmulator({ config: { agents: false } })
    const { data } = await (await fetch(emulator.baseUrl + '/markets')).json()
    console.log(data.map(({ symbol }) => symbol).join(), emulator.users.length)
    await emulator.close()
  `)
  expect(output).toBe('BTC_USD,ETH_USD 1\n')
})

it('a program finds what serves a market in the package', async () => {
  expect(await outputOf(`import { serve } from 'papertape/server'; console.log(typeof serve)`)).toBe('function\n')
})
