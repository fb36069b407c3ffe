/**
 * Proof of a token that is given as itself, or as a hash by scrypt (RFC 7914) in PHC form, such as
 * `$scrypt$ln=15,r=8,p=3$SALT$HASH`.
 *
 * A person may choose the token, so its hash is slow to guess. After the first proof only the SHA-256 of the token is
 * compared, in constant time. API keys need no slow hash: they are 32 random bytes.
 */
import { hash, randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

const FORM =
  /^\$scrypt\$ln=(?<ln>1[0-7]),r=(?<r>[1-9]|1[0-6]),p=(?<p>[1-8])\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<key>[A-Za-z0-9+/]{43})$/
/** Terms of new hashes, as OWASP recommends: 32 MiB, about 0.2 s. */
const TERMS = { ln: 15, r: 8, p: 3 }
const KEY_BYTES = 32
/** Proofs at the same time: each takes memory and a thread. */
const MAX_PROOFS = 4

/** True for a text that is meant as a hash. */
export const isHash = (text: string): boolean => text.startsWith('$')

/** True for a hash that can be read. */
export const isReadableHash = (text: string): boolean => FORM.test(text)

/** Hash of a token, for a file or a variable. */
export async function tokenHash(token: string): Promise<string> {
  const salt = randomBytes(16)
  const { ln, r, p } = TERMS
  return `$scrypt$ln=${ln},r=${r},p=${p}$${plain(salt)}$${plain(await derived(token, salt, TERMS))}`
}

/** Base64 without padding. */
const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

async function derived(token: string, salt: Buffer, { ln, r, p }: typeof TERMS): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
  return await new Promise((resolve, reject) => {
    scrypt(token, salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

export class TokenProof {
  readonly #hash: Readonly<Record<string, string>> | undefined
  /** SHA-256 of the token; undefined until it was proven against its hash. */
  #digest: Buffer | undefined
  #proofs = 0

  /** @param token  the token, or a readable hash of it */
  constructor(token: string) {
    this.#hash = FORM.exec(token)?.groups
    if (this.#hash === undefined) this.#digest = digestOf(token)
  }

  /** True for the token, if it was proven before or not hashed. */
  isToken(given: string): boolean {
    return this.#digest !== undefined && timingSafeEqual(this.#digest, digestOf(given))
  }

  /**
   * Proves a token against the hash, in another thread.
   *
   * @returns undefined if `isToken` knows already, `busy` if too many proofs are going on
   */
  prove(given: string): Promise<void> | 'busy' | undefined {
    if (this.#hash === undefined || this.#digest !== undefined) return undefined
    return this.#proofs < MAX_PROOFS ? this.#prove(given, this.#hash) : 'busy'
  }

  async #prove(given: string, { ln, r, p, salt = '', key = '' }: Readonly<Record<string, string>>): Promise<void> {
    this.#proofs += 1
    try {
      const terms = { ln: Number(ln), r: Number(r), p: Number(p) }
      const found = await derived(given, Buffer.from(salt, 'base64'), terms)
      if (timingSafeEqual(found, Buffer.from(key, 'base64'))) this.#digest = digestOf(given)
    } finally {
      this.#proofs -= 1
    }
  }
}
