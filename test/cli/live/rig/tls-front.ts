/**
 * The service behind TLS: takes connections of https and wss, and hands what they say to the service in plain text.
 */
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createServer } from 'node:tls'

/** Of 127.0.0.1 and localhost, signed by itself, until 2126. It protects nothing. */
export const CERTIFICATE = `
-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUV4Qe5fw2x0o3gscxmWKaRXZ7fsMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzA2MDY0NloYDzIxMjYxMTAz
MDYwNjQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQpLibheqOogq6K5enxmXQsXiWwe9X25ICTOuvrCb0Ac0+nQefmuwKN
+FA1WDzgZrW6tDrjHVOb4gGGbk6LyWnqo28wbTAdBgNVHQ4EFgQUg3rxMyfH4tYz
enF73FoDGYSbUvcwHwYDVR0jBBgwFoAUg3rxMyfH4tYzenF73FoDGYSbUvcwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAJZMpePhI16QXH5x/6bje6i2CPwzIG43K94xuRPDMG+GAiEA
1UdRKoBkLMeegcJ9w9kx1nL8Fv0oRqgHS0GoGcgUZyE=
-----END CERTIFICATE-----
`

const KEY = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsbQNptqjDVAzZCcm
o/0yaU4sY+3kud2DfRPMMx2lcsqhRANCAAQpLibheqOogq6K5enxmXQsXiWwe9X2
5ICTOuvrCb0Ac0+nQefmuwKN+FA1WDzgZrW6tDrjHVOb4gGGbk6LyWnq
-----END PRIVATE KEY-----
`

export class TlsFront implements AsyncDisposable {
  readonly #sockets = new Set<Socket>()
  readonly #server

  /** @param port  of the service, on 127.0.0.1 */
  constructor(port: number) {
    this.#server = createServer({ cert: CERTIFICATE, key: KEY }, (socket) => {
      const onward = connect(port, '127.0.0.1')
      for (const each of [socket, onward]) this.#sockets.add(each)
      onward.pipe(socket).pipe(onward)
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
  }

  /** @returns its port */
  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve()
      })
    })
  }
}
