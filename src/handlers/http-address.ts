/**
 * Which addresses a hook may ask, and which headers it may send. Shared by what reads configuration and by what
 * runs it, so that neither accepts what the other refuses. Pure.
 */

/** What is wrong with an address; the text ends "... is". Undefined: nothing. */
export function addressFault(written: string, insecure: boolean): string | undefined {
  const url = parse(written)
  if (url === undefined) return 'not a web address'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'neither http nor https'
  if (url.username !== '' || url.password !== '') return 'one with a password in it; use `headers`'
  if (url.protocol === 'http:' && !insecure && !isLoopback(url.hostname)) {
    return 'plain http to another machine, where anybody between may read calls and write answers; use https, or say `insecure: true`'
  }
  return undefined
}

/** Names that decide where a message ends or who reads it are not a hook's to set. */
export const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** `$NAME` and `${NAME}`. */
export const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

/** The variables a header asks for. */
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
