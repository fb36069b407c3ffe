/**
 * Faults of a network in plain words: what is wrong, for whoever can mend it.
 */

const WORDS_OF_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
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
  UND_ERR_ABORTED: 'no whole answer in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer did not come whole',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names one to be trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody known; NODE_EXTRA_CA_CERTS names one to be trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified; NODE_EXTRA_CA_CERTS names one to be trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified; NODE_EXTRA_CA_CERTS names one to be trusted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** Faults that are told apart by the beginning of their code. */
const WORDS_OF_START: readonly (readonly [string, string])[] = [
  ['HPE_', 'what it answers is no HTTP'],
  ['ERR_SSL', 'it does not speak TLS; perhaps its address begins with http:// or ws://'],
  ['EPROTO', 'it does not speak TLS; perhaps its address begins with http:// or ws://'],
]

/** In words without the error's own text, which may hold what was sent. */
export function networkWords(error: unknown): string {
  const code = codeOf(error)
  const [, words] = WORDS_OF_START.find(([start]) => code.startsWith(start)) ?? []
  return WORDS_OF_CODE[code] ?? words ?? `the connection failed${code === '' ? '' : ` (${code})`}`
}

/** The code of an error, or of the one that caused it. */
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
