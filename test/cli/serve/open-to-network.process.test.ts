/** `papertape serve` as its operator opens it to a network: certificate, hashed token, audit log, renewal, rotation. */
import { copyFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { cliFolder, runCli } from '../rig/run-cli.ts'
import { servers, type ServerLine } from '../rig/serving.ts'

const { folder, write, cli } = cliFolder()
const start = servers()
const QUIET = ['--json', '--config', write('{ "agents": false }', 'quiet.json')]
const TLS = fileURLToPath(new URL('../../server/rig/tls/', import.meta.url))
const CA = ['first', 'renewed'].map((name) => readFileSync(`${TLS}${name}.crt`))

const file = (name: string): string => join(folder, name)

function use(name: string): void {
  for (const kind of ['crt', 'key']) copyFileSync(`${TLS}${name}.${kind}`, file(`server.${kind}`))
}

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

const ask = (
  url: string,
  { token, method = 'GET', body }: { token?: string; method?: string; body?: object } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const sent = request(url, { method, headers, ca: CA }, (response) => {
      let text = ''
      response.on('data', (data: Buffer) => (text += data.toString()))
      response.on('end', () => {
        resolve({ status: response.statusCode, text })
      })
    })
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

/** Name in the certificate that a new connection gets. */
const certificateOf = ({ baseUrl }: ServerLine): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port), ca: CA }, () => {
      resolve(socket.getPeerCertificate().subject.CN)
      socket.destroy()
    })
    socket.on('error', reject)
  })

const linesOf = (name: string): readonly object[] =>
  readFileSync(file(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)

it('serves https and wss with a hashed token, records changes, and takes a renewed certificate', async () => {
  const made = await cli('emulator', 'hash-token')
  const [, token = '', hash = ''] = /^token +(\S+)\nhash +(\S+)\n$/.exec(made.stdout) ?? []
  writeFileSync(file('token.hash'), `${hash}\n`)
  use('first')
  const serving = start([
    ...QUIET,
    ...['--host', '0.0.0.0', '--admin-token-file', file('token.hash'), '--audit-log', file('audit.log')],
    ...['--tls-cert', file('server.crt'), '--tls-key', file('server.key')],
  ])
  const given = await serving.line()
  expect(given).toMatchObject({ baseUrl: expect.stringMatching(/^https:/), adminToken: null })
  const line = JSON.parse(JSON.stringify(given).replaceAll('0.0.0.0', '127.0.0.1')) as ServerLine

  expect(await ask(`${line.emulatorUrl}/users`)).toMatchObject({ status: 401 })
  expect(await ask(`${line.emulatorUrl}/users`, { token: 'guess' })).toMatchObject({ status: 401 })
  const body = { email: 'new@example.com', verified: true }
  expect(await ask(`${line.emulatorUrl}/users`, { token, method: 'POST', body })).toMatchObject({ status: 201 })
  const stream = new WebSocket(line.streamUrl, { ca: CA })
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject))
  stream.send('{"op":"subscribe","streams":["trade:BTC_USD"],"id":1}')
  const said = await new Promise<string>((resolve) =>
    stream.once('message', (data: Buffer) => resolve(data.toString())),
  )
  expect(said).toContain('subscribed')

  // A fault that resets connections does so with TLS too, and stops nothing.
  const reset = { fault: 'reset-before', route: 'GET /markets', count: 1 }
  await ask(`${line.emulatorUrl}/faults`, { token, method: 'POST', body: reset })
  await expect(ask(`${line.baseUrl}/markets`)).rejects.toThrow()
  expect(await ask(`${line.baseUrl}/markets`)).toMatchObject({ status: 200 })

  // The command line reaches it, and a branch has the same certificate, token and log.
  const env = { PAPERTAPE_ADMIN_TOKEN: token, NODE_EXTRA_CA_CERTS: `${TLS}first.crt` }
  const url = new URL(line.baseUrl).origin.replace('127.0.0.1', 'localhost')
  const branch = await runCli(['emulator', 'branch', 'start', 'twin', '--url', url, '--json'], { cwd: folder, env })
  const { baseUrl } = JSON.parse(branch.stdout) as { baseUrl: string }
  const twin = `${new URL(baseUrl.replace('0.0.0.0', '127.0.0.1')).origin}/emulator/users`
  expect([(await ask(twin)).status, (await ask(twin, { token })).status]).toEqual([401, 200])
  await ask(`${twin}/user-1/keys`, { token, method: 'POST', body: { scopes: ['ORDER_READ'] } })

  expect(linesOf('audit.log')).toMatchObject([
    { event: 'wrong-token', role: 'none', address: '127.0.0.1', path: '/emulator/users', status: 401 },
    { event: 'change', role: 'admin', method: 'POST', path: '/emulator/users', status: 201 },
    { event: 'change', path: '/emulator/faults', status: 201 },
    { event: 'change', path: '/emulator/branches', status: 201 },
    { event: 'change', path: '/emulator/users/user-1/keys', status: 201, port: Number(new URL(twin).port) },
  ])
  const text = readFileSync(file('audit.log'), 'utf8')
  for (const secret of [token, hash, 'guess', 'new@example.com', 'pt_']) expect(text).not.toContain(secret)
  expect(statSync(file('audit.log')).mode & 0o077).toBe(0)

  renameSync(file('audit.log'), file('audit.log.1'))
  await ask(`${line.emulatorUrl}/faults`, { token, method: 'DELETE' })
  expect(linesOf('audit.log')).toMatchObject([{ event: 'change', method: 'DELETE', path: '/emulator/faults' }])

  expect(await certificateOf(line)).toBe('first')
  use('renewed')
  await expect.poll(() => certificateOf(line), { timeout: 30_000, interval: 500 }).toBe('renewed')
  expect(await ask(`${line.baseUrl}/markets`)).toMatchObject({ status: 200 })
  expect(await serving.stop()).toBe(0)
  expect(serving.stderr).not.toContain(token)
})

it('goes on when the audit log cannot be written, and says so once', async () => {
  const { baseUrl } = await start([...QUIET, '--audit-log', file('here.log')]).line()
  expect(baseUrl).toMatch(/^http:/)
  expect(existsSync('/dev/full')).toBe(true)
  const serving = start([...QUIET, '--audit-log', '/dev/full'])
  const { emulatorUrl } = await serving.line()
  for (let number = 0; number < 3; number += 1) {
    expect((await fetch(`${emulatorUrl}/faults`, { method: 'DELETE' })).status).toBe(204)
  }
  expect(await serving.stop()).toBe(0)
  expect(serving.stderr.match(/audit log .* cannot be written .*ENOSPC/g)).toHaveLength(1)
})
