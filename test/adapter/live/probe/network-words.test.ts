import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { networkWords } from '../../../../src/adapter/live/probe/network-words.ts'
import { withoutKey } from '../../../../src/adapter/live/probe/hidden-key.ts'
import { ServiceProbe } from '../../../../src/adapter/live/probe/service-probe.ts'
import { temporaryFiles } from '../../../store/rig/temporary-files.ts'

const coded = (code: string): Error => Object.assign(new Error('with a secret in it'), { code })

describe('faults of a network', () => {
  it.each([
    [coded('ECONNREFUSED'), 'nothing listens there'],
    [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'nothing listens there'],
    [new Error('outer', { cause: coded('CERT_HAS_EXPIRED') }), 'its certificate has expired'],
    [coded('ERR_SSL_ANYTHING'), 'it does not speak TLS; perhaps its address begins with http:// or ws://'],
    [coded('E_OTHER'), 'the connection failed (E_OTHER)'],
    [new Error('with a secret in it'), 'the connection failed'],
    ['thrown', 'the connection failed'],
  ])('%s is %s', (error, words) => {
    expect(networkWords(error)).toBe(words)
  })

  it('a certificate that signed itself is told, with the way to trust it', async () => {
    const { folder } = temporary
    const [cert, key] = [`${folder}/c.pem`, `${folder}/k.pem`]
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=localhost'],
      {
        stdio: 'ignore',
      },
    )
    const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const probe = new ServiceProbe({
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      timeoutMs: 5_000,
    })
    expect(await probe.send({ method: 'GET', path: '/markets' })).toMatchObject({
      type: 'no-answer',
      reason: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names one to be trusted',
    })
    await probe.close()
    server.close()
  })
})
const temporary = temporaryFiles()

describe('a text without the key', () => {
  it.each([
    ['a pt_public12_secretsecret b', 'a *** b'],
    ['secretsecret alone, public12 too, pt not', '*** alone, *** too, pt not'],
    ['nothing', 'nothing'],
  ])('%j is %j', (text, shown) => {
    expect(withoutKey(text, 'pt_public12_secretsecret')).toBe(shown)
    expect(withoutKey(text, undefined)).toBe(text)
    expect(withoutKey(text, '')).toBe(text)
  })
})
