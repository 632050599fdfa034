/** The part of http_ece that tests use. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Parameters {
    readonly version: 'aes128gcm'
    readonly privateKey: ECDH
    /** In base64url. */
    readonly authSecret: string
  }

  const ece: { decrypt(message: Uint8Array, parameters: Parameters): Buffer }
  export default ece
}
