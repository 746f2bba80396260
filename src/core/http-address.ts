import { wordSet } from './word-list.ts'

/**
 * Which addresses a hook may call, and which headers it may send. Used when configuration is read and when it is
 * run, so that both apply the same rules. Pure.
 */

/** What is wrong with an address, as the end of "... is". Undefined: nothing. */
export function addressFault(written: string, insecure: boolean): string | undefined {
  const url = parse(written)
  if (url === undefined) return 'not a web address'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'neither http nor https'
  if (url.username !== '' || url.password !== '')
    return 'an address that contains a password; use `headers` instead'
  if (url.protocol === 'http:' && !insecure && !isLoopback(url.hostname)) {
    return 'plain http to another machine, so others on the network could read calls and forge answers; use https, or set `insecure: true`'
  }
  return undefined
}

/** A hook may not set headers that control the length of a message or its destination. */
export const FORBIDDEN_HEADERS = wordSet(`
  accept-encoding connection content-length expect host keep-alive proxy-connection te trailer
  transfer-encoding upgrade
`)

/** `$NAME` and `${NAME}`. */
export const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/** The variables that a header uses. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? '')
}

function parse(written: string): URL | undefined {
  try {
    return new URL(written)
  } catch {
    return undefined
  }
}

function isLoopback(hostname: string): boolean {
  return (
    /^(?:[^.]+\.)*localhost$/.test(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]'
  )
}
