import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** What a process of its own logs, since the log goes to the file of stderr. */
function logged(statements: string): string {
  const log = new URL('../../../dist/cli/serve/server-log.js', import.meta.url).href
  const source = `import { serverLog } from '${log}'; const log = serverLog('info', 'to"ken'); ${statements}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }).stderr
}

const KEY = `pt_0a1b2c3d_${'x'.repeat(43)}`

describe('a key or the token is in no line of the log', () => {
  it.each<[why: string, statement: string]>([
    ['where one would be', `log.info({ key: 'short', adminToken: 'short' }, 'made')`],
    ['in a request', `log.info({ request: { headers: { 'x-api-key': 'short', authorization: 'Bearer short' } } })`],
    ['in a field of another name', `log.info({ path: '/v1/markets/${KEY}/ticker' })`],
    ['in a message', `log.info('asked with ${KEY} twice ${KEY}')`],
    ['in an error', `log.error({ err: new Error('bad ${KEY}') })`],
    ['the token, in a list', `log.info({ any: [['to"ken']] })`],
    ['the token, with a quote in it', `log.info({ any: 'Bearer to"ken' }, 'to"ken')`],
  ])('%s', (_, statement) => {
    const line = logged(statement)
    expect(line).toMatch(/\[redacted\]/)
    expect(line).not.toMatch(/short|x{43}|to\\*"ken/)
    expect(() => JSON.parse(line) as unknown).not.toThrow()
  })

  it('and what is no secret stays', () => {
    expect(JSON.parse(logged(`log.warn({ requestId: 'r-1' }, 'slow')`))).toMatchObject({
      level: 40,
      requestId: 'r-1',
      msg: 'slow',
    })
  })
})
