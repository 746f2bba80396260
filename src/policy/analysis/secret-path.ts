import { wordList } from '../../core/word-list.ts'
import { isSearch, isSearched } from '../../shell/words/found.ts'
import type { PathForm } from '../../shell/words/paths.ts'
import { mayMatch, mayMatchName } from '../../shell/words/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../../shell/words/words.ts'
import { isListed, type PathMatch, unionOf } from './path-list.ts'
import { CREDENTIALS, KEYS, LIKELY, SETTINGS } from './secret-files.ts'

/** `.env` and `.env.*`, but not the variants that are meant to be read. */
export function isEnvFile(path: PathForm): PathMatch {
  const root = searchRoot(path)
  if (root !== undefined) return isEnvFile(root)
  const name = path.parts.at(-1) ?? []
  const match = matchName(name, isEnvName, ENV_NAMES)
  // For a search tool, a name that begins with a dot is an ordinary name.
  const isMeant = isSearched(path.parts.at(-2)) && name.some(({ text }) => text.includes('env'))
  return match === 'no' && isMeant && nameMayBe(name, 'env') ? 'maybe' : match
}

/** Private keys. */
export function isPrivateKey(path: PathForm, home: string): PathMatch {
  const root = searchRoot(path)
  const atRoot = root === undefined ? 'no' : isPrivateKey(root, home)
  if (atRoot !== 'no') return atRoot
  const name = path.parts.at(-1) ?? []
  if (exactForm(path.parts.at(-2) ?? [])?.toLowerCase() === '.ssh') return matchSshName(name)
  const listed = isListed(path, home, KEYS)
  if (listed !== 'no') return listed
  const byName = matchName(name, isKeyName, KEY_NAMES)
  if (byName !== 'yes') return byName
  const parents = path.parts.slice(0, -1).map((part) => exactForm(part)?.toLowerCase() ?? '*')
  return parents.some((parent) => TEST_FOLDERS.test(parent)) ? 'maybe' : 'yes'
}

/** `find FILE` lists the file itself. */
function searchRoot(path: PathForm): PathForm | undefined {
  const last = path.parts.at(-1)
  if (last === undefined || path.parts.length < 2 || !last.every(isSearch)) return undefined
  return { ...path, parts: path.parts.slice(0, -1), text: undefined }
}

/** Files where tools keep passwords, tokens and sessions. */
export function isCredentialFile(path: PathForm, home: string): PathMatch {
  return inTests(path, isListed(path, home, CREDENTIALS))
}

/** Application settings that contain passwords, such as Drupal's settings.php. */
export function isSettingsFile(path: PathForm, home: string): PathMatch {
  return inTests(path, isListed(path, home, SETTINGS))
}

/** Files that often contain secrets: shell histories, Terraform state, secrets.yml. */
export function isLikelySecret(path: PathForm, home: string): PathMatch {
  const match = isListed(path, home, LIKELY)
  return match === 'yes' && path.parts.some((part) => TEST_FOLDERS.test(exactForm(part) ?? '')) ? 'no' : match
}

/**
 * Whether any of these kinds is possible. Nearly every path is none of them, and this finds out with less than asking for
 * each.
 */
export function mayBeSecret({ text, parts }: PathForm): boolean {
  if (text === undefined || mayBeListed(text)) return true
  const name = text.slice(text.lastIndexOf('/') + 1)
  return SECRET_NAME.test(name) || exactForm(parts.at(-2) ?? [])?.toLowerCase() === '.ssh'
}

const mayBeListed = unionOf([CREDENTIALS, KEYS, SETTINGS, LIKELY])
/** What every name of a file for variables or of a key has in it. */
const SECRET_NAME =
  /^\.(?:env|dev\.vars)|id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:key|p12|pfx|p8|ppk|jks|keystore|kdbx|pem)/i

/** Any of these kinds. */
export function isSecret(path: PathForm, home: string): PathMatch {
  const matches = [
    isEnvFile(path),
    isPrivateKey(path, home),
    isCredentialFile(path, home),
    isSettingsFile(path, home),
  ]
  return matches.includes('yes') ? 'yes' : matches.includes('maybe') ? 'maybe' : 'no'
}

function inTests(path: PathForm, match: PathMatch): PathMatch {
  return match === 'yes' && path.parts.some((part) => TEST_FOLDERS.test(exactForm(part) ?? ''))
    ? 'maybe'
    : match
}

/** A pattern of a search tool, where `*` also matches a leading dot. Wide patterns do not count. */
export function nameMayBe(pattern: Form, names: 'env' | 'key'): boolean {
  const accepts = names === 'env' ? isEnvName : isKeyName
  const text = exactForm(pattern)
  if (text !== undefined) return accepts(text.toLowerCase())
  if (mayMatch(pattern, UNLIKELY[0]) || mayMatch(pattern, UNLIKELY[1])) return false
  return (names === 'env' ? ENV_NAMES : KEY_NAMES).some((name) => mayMatch(pattern, name))
}

const UNLIKELY = ['zq7', '.zq7', 'zq7.k9'] as const

function matchName(name: Form, accepts: (name: string) => boolean, known: readonly string[]): PathMatch {
  const text = exactForm(name)
  if (text !== undefined) return accepts(text.toLowerCase()) ? 'yes' : 'no'
  if (isWhollyUnknown(name) || !known.some((each) => mayMatchName(name, each))) return 'no'
  // `*` in an ordinary folder is not an attempt to read a key, but `.*` may match .env.
  if (mayMatchName(name, UNLIKELY[0]) || mayMatchName(name, UNLIKELY[2])) return 'no'
  return hasUnknown(name) || mayMatchName(name, UNLIKELY[1]) ? 'maybe' : 'yes'
}

const ENV_NAMES = ['.env', '.env.local', '.env.production', '.env.development', '.env.test', '.env.staging']
/** Meant to be read: examples, encrypted versions that are committed, and descriptions of the file. */
const ENV_EXAMPLES =
  /[._-](example|sample|template|tmpl|tpl|dist|defaults?|schema|vault|enc|encrypted|gpg|age|md|d\.ts)$/

function isEnvName(name: string): boolean {
  return /^\.env(?:[._-]|~?$)|^\.dev\.vars/.test(name) && !ENV_EXAMPLES.test(name)
}

const KEY_NAMES = wordList(`
  id_rsa id_ed25519 id_ecdsa id_dsa server.key private.key private.pem key.pem server.pem client.p12
  client.pfx release.keystore release.jks key.p8 key.ppk
`)
const KEY_ENDINGS = /\.(key|p12|pfx|p8|ppk|jks|keystore|kdbx)$/
/** A backup copy contains the same secrets as the file. */
const COPY_ENDING = /(?:[._-](?:bak|old|orig|backup|copy|save|\d{1,8})|~)$/
/** Certificates and public keys are meant to be shown. */
const CERTIFICATES =
  /(^|[^a-z])(certs?|certificates?|ca|cacerts?|cachain|chain|fullchain|bundle|crt|csr|pub|public|dhparams?)([^a-z]|$)/

function isKeyName(written: string): boolean {
  const name = written.replace(COPY_ENDING, '')
  if (/^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/.test(name) || KEY_ENDINGS.test(name))
    return !/[._-]pub(lic)?\./.test(name)
  return name.endsWith('.pem') && !CERTIFICATES.test(name.slice(0, -4))
}

/** Test keys are often committed. Only the user can say whether this is one. */
const TEST_FOLDERS = /^(__)?(fixtures?|testdata|test-?keys)(__)?$/

const SSH_PUBLIC =
  /\.pub$|^(known_hosts.*|config|config\.d|authorized_keys2?|environment|rc|allowed_signers|readme(\..*)?)$/

/** Every file in `.ssh` is a key unless it is known to be something else. */
function matchSshName(name: Form): PathMatch {
  const text = exactForm(name)
  if (text !== undefined) return SSH_PUBLIC.test(text.toLowerCase()) ? 'no' : 'yes'
  if (isWhollyUnknown(name)) return 'maybe'
  return ['id_rsa', 'id_ed25519', 'id_ecdsa', 'deploy'].some((each) => mayMatchName(name, each))
    ? 'yes'
    : 'no'
}
