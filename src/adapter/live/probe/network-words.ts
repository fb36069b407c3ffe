/** Network errors as plain text for the operator. */

const WORDS_OF_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EACCES: 'this machine does not allow the connection',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
  UND_ERR_ABORTED: 'the answer was not complete in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is incomplete',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; to trust it, set NODE_EXTRA_CA_CERTS to its file',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate has an unknown issuer; to trust it, set NODE_EXTRA_CA_CERTS to the file of the issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate cannot be verified; to trust it, set NODE_EXTRA_CA_CERTS to the file of its issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate cannot be verified; to trust it, set NODE_EXTRA_CA_CERTS to the file of its issuer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** Errors identified by a prefix of their code. */
const WORDS_OF_START: readonly (readonly [string, string])[] = [
  ['HPE_', 'its answer is not HTTP'],
  ['ERR_SSL', 'it does not speak TLS; the address may have to start with http:// or ws://'],
  ['EPROTO', 'it does not speak TLS; the address may have to start with http:// or ws://'],
]

/** Describes an error without its own text, which may contain what was sent. */
export function networkWords(error: unknown): string {
  const code = codeOf(error)
  const [, words] = WORDS_OF_START.find(([start]) => code.startsWith(start)) ?? []
  return WORDS_OF_CODE[code] ?? words ?? `the connection failed${code === '' ? '' : ` (${code})`}`
}

/** The code of an error, or of its cause. */
function codeOf(error: unknown): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each.name === 'HTTPParserError') return 'HPE_'
    if (each.name === 'TimeoutError' || each.name === 'AbortError') return 'UND_ERR_ABORTED'
    if (each instanceof AggregateError) return codeOf(each.errors[0])
    const { code } = each as NodeJS.ErrnoException
    if (typeof code === 'string') return code
  }
  return ''
}
