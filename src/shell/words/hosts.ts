import { wordSet } from '../../core/word-list.ts'
import type { Form, Word } from './words.ts'

/** The machine an address names: `https://me@example.com:8443/x`, `example.com/x`, `[::1]:80`. */
export function hostOf(word: Word): string | undefined {
  const hosts = word.forms.map(hostOfForm)
  const [first] = hosts
  return hosts.every((host) => host === first) ? first : undefined
}

/** Known only when something that ends it is known too: `https://example.$X` may be any machine. */
function hostOfForm(form: Form): string | undefined {
  const { text, whole } = addressText(form)
  const found = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)([/?#]?)/i.exec(text)
  if (!whole && found?.[2] === '') return undefined
  return hostOfAuthority(found?.[1] ?? '')
}

/** The text of an address up to what is not known. Its `?` is no pattern: no file is called that. */
export function addressText(form: Form): { readonly text: string; readonly whole: boolean } {
  const known = form.findIndex((piece) => piece.kind === 'unknown')
  const pieces = known < 0 ? form : form.slice(0, known)
  return { text: pieces.map((piece) => piece.text).join(''), whole: known < 0 }
}

function hostOfAuthority(authority: string): string | undefined {
  const place = authority.slice(authority.lastIndexOf('@') + 1)
  const bracketed = /^\[([^\]]*)\]/.exec(place)
  const host = bracketed?.[1] ?? (/^[^:]*:[^:]*:/.test(place) ? place : place.replace(/:.*$/s, ''))
  // `:3000/x` is this machine to the programs that take it.
  return host === '' && place.startsWith(':') ? 'localhost' : host === '' ? undefined : host.toLowerCase()
}

/** This machine, or a name that by convention never leaves it. A private network is other machines. */
export function isLocalHost(host: string | undefined): boolean {
  if (host === undefined) return false
  return LOCAL.has(host) || /^127(\.\d{1,3}){1,3}$/.test(host) || /\.(localhost|test|localdomain)$/.test(host)
}

const LOCAL = wordSet(`
  localhost ::1 0.0.0.0 :: 0 127.1 ip6-localhost host.docker.internal host.containers.internal
  kubernetes.docker.internal
`)
