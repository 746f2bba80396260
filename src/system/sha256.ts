let crypto: typeof import('node:crypto') | undefined

/** As hexadecimal text. Loaded at the first use, without a promise, because most events never need it. */
export function sha256(content: string | Uint8Array): string {
  crypto ??= process.getBuiltinModule('node:crypto')
  return crypto.hash('sha256', content, 'hex')
}
