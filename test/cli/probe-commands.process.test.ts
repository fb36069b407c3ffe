import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CliResult } from './rig/cli-result.ts'
import { runCli } from './rig/run-cli.ts'
import { servers } from './rig/serving.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const serve = servers()

const run = (args: readonly string[], key = ''): Promise<CliResult> =>
  runCli(args, { cwd: folder, env: key === '' ? {} : { PAPERTAPE_API_KEY: key } })

describe('papertape doctor and conformance', () => {
  it('against papertape serve: a live session can start, no rule is broken, and no key is printed', async () => {
    const { baseUrl, users } = await serve(['--json']).line()
    const key = users[0]?.keys[0] ?? ''
    const doctor = await run(['doctor', '--url', baseUrl], key)
    expect(doctor).toMatchObject({ code: 0, stderr: '' })
    expect(doctor.stdout).toMatch(/\nok +ORDER_CREATE +the key has this scope.*\n[^]*\na live session can start\n$/)
    writeFileSync(join(folder, 'papertape.config.json'), JSON.stringify({ live: { url: baseUrl } }))
    expect(await run(['doctor'], key)).toMatchObject({ code: 0, stderr: '' })
    rmSync(join(folder, 'papertape.config.json'))
    const json = await run(['conformance', '--url', `${baseUrl}/`, '--trade', '--json'], key)
    expect(json).toMatchObject({ code: 0, stderr: '' })
    expect(json.stdout).toMatch(/^\{.*\}\n$/)
    const { rules, left } = JSON.parse(json.stdout) as { rules: { verdict: string }[]; left: unknown[] }
    expect([rules.filter(({ verdict }) => verdict === 'broken'), left]).toEqual([[], []])
    writeFileSync(join(folder, '.env'), `PAPERTAPE_API_KEY=${key}\n`)
    const table = await run(['conformance', '--url', baseUrl])
    expect(table.code).toBe(0)
    expect(table.stdout).toMatch(/\n5 {2}kept {7}a protected endpoint without a key is 401 AUTHENTICATION_REQUIRED\n/)
    expect(table.stdout).toMatch(/\n\d+ kept, 0 broken, \d+ not shown\n$/)
    for (const { stdout } of [doctor, json, table]) expect(stdout).not.toContain(key.slice(-20))
    rmSync(join(folder, '.env'))
  })

  it.each(['doctor', 'conformance'])('%s of a service that is not there ends with 3', async (command) => {
    const { code, stdout, stderr } = await run([command, '--url', 'http://127.0.0.1:1/v1'], 'pt_a_b')
    expect([code, stderr]).toEqual([3, ''])
    expect(stdout).toContain('nothing is listening there')
  })

  it.each([
    [[], /^papertape: --url: missing or invalid: pass the base URL/],
    [['--url', 'x'], /^papertape: --url: expected an http or https URL/],
    [['--url', 'http://me:pw@127.0.0.1/v1'], /^papertape: --url: .*without a user/],
    [['--url', 'http://127.0.0.1/v1?key=1'], /^papertape: --url: .*without a user, a query/],
    [['--url', 'http://127.0.0.1/v1', '--stream-url', 'http://x'], /^papertape: --stream-url: expected a ws/],
    [['--streamurl', 'x'], /unknown flag --streamurl; did you mean --stream-url\?/],
  ])('%j is an input fault that names it', async (args, message) => {
    for (const command of ['doctor', 'conformance']) {
      const { code, stdout, stderr } = await run([command, ...args])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/pw/)
    }
  })
})
