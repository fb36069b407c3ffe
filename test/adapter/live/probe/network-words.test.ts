import { describe, expect, it } from 'vitest'
import { networkWords } from '../../../../src/adapter/live/probe/network-words.ts'
import { withoutKey } from '../../../../src/adapter/live/probe/hidden-key.ts'

const coded = (code: string): Error => Object.assign(new Error('with a secret in it'), { code })

describe('faults of a network', () => {
  it.each([
    [coded('ECONNREFUSED'), 'nothing is listening there'],
    [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'nothing is listening there'],
    [new Error('outer', { cause: coded('CERT_HAS_EXPIRED') }), 'its certificate has expired'],
    // As Node and undici report it of a server with `openssl req -x509`.
    [
      coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
      'its certificate is self-signed; to trust it, set NODE_EXTRA_CA_CERTS to its file',
    ],
    [coded('ERR_SSL_ANYTHING'), 'it does not speak TLS; the address may have to start with http:// or ws://'],
    [coded('E_OTHER'), 'the connection failed (E_OTHER)'],
    [new Error('with a secret in it'), 'the connection failed'],
    ['thrown', 'the connection failed'],
  ])('%s is %s', (error, words) => {
    expect(networkWords(error)).toBe(words)
  })
})

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
