/** The package for Arrow files is optional. */
import { expect, it } from 'vitest'
import { withoutPackage } from '../rig/hidden-package.ts'
import { expectInputError } from '../rig/cli-result.ts'
import { cliFolder, runCli } from '../rig/run-cli.ts'

const { folder, write, cli } = cliFolder()

it('without apache-arrow, reading and writing Arrow files says how to install it', async () => {
  write('time_ms,price,qty\n1704067200000,100,1\n', 'a.csv')
  expect(await cli('export', '--tape', 'A_USD=a.csv', '--out', 'a.arrow')).toMatchObject({ code: 0 })
  const options = { cwd: folder, nodeFlags: [withoutPackage('apache-arrow')] }
  const needs = 'needs the package apache-arrow; run npm install apache-arrow'
  expectInputError(
    await runCli(['export', '--tape', 'A_USD=a.arrow', '--out', 'b.csv'], options),
    new RegExp(`^a.arrow: ${needs} `),
  )
  expectInputError(
    await runCli(['export', '--tape', 'A_USD=a.csv', '--out', 'b.arrow'], options),
    new RegExp(`^--out: ${needs} `),
  )
})
