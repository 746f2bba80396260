import { isInside, type PathForm } from '../../shell/paths.ts'
import { mayMatch, mayMatchName } from '../../shell/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../../shell/words.ts'

/** Is a path a secret? `maybe` where a wide pattern or something unknown in it could make it one. */
export type Match = 'yes' | 'maybe' | 'no'

/** `.env` and `.env.*`, but not the ones that are there to be read. */
export function isEnvFile(path: PathForm): Match {
  return matchName(path.parts.at(-1) ?? [], isEnvName, ENV_NAMES)
}

/** Private keys and the files tools keep passwords and tokens in. */
export function isPrivateKey(path: PathForm, home: string): Match {
  const name = path.parts.at(-1) ?? []
  const parents = path.parts.slice(0, -1).map((part) => exactForm(part)?.toLowerCase() ?? '*')
  const whole = wholePath(path)
  if (parents.at(-1) === '.ssh') return matchSshName(name)
  if (whole !== undefined && SECRET_FOLDERS.some((folder) => isInside(whole, `${home}/${folder}`)))
    return 'yes'
  if (whole !== undefined && SECRET_PATHS.some((path) => path.replace('~', home) === whole)) return 'yes'
  const kept = KEPT_BY_TOOLS.filter(([folder]) => folder === '' || parents.at(-1) === folder)
  const byTool = matchName(
    name,
    (text) => kept.some(([, file]) => file === text),
    kept.map(([, file]) => file),
  )
  if (byTool !== 'no') return byTool
  const byName = matchName(name, isKeyName, KEY_NAMES)
  return byName === 'yes' && parents.some((parent) => TEST_FOLDERS.test(parent)) ? 'maybe' : byName
}

/** A pattern of a search tool, where `*` also matches a leading dot. Wide patterns are no sign of anything. */
export function nameMayBe(pattern: Form, names: 'env' | 'key'): boolean {
  const accepts = names === 'env' ? isEnvName : isKeyName
  const text = exactForm(pattern)
  if (text !== undefined) return accepts(text.toLowerCase())
  if (mayMatch(pattern, UNLIKELY[0]) || mayMatch(pattern, UNLIKELY[1])) return false
  return (names === 'env' ? ENV_NAMES : KEY_NAMES).some((name) => mayMatch(pattern, name))
}

const UNLIKELY = ['zq7', '.zq7', 'zq7.k9'] as const

function matchName(name: Form, accepts: (name: string) => boolean, known: readonly string[]): Match {
  const text = exactForm(name)
  if (text !== undefined) return accepts(text.toLowerCase()) ? 'yes' : 'no'
  if (isWhollyUnknown(name) || !known.some((each) => mayMatchName(name, each))) return 'no'
  // `*` in an ordinary folder is no attempt at a key; `.*` may well reach .env.
  if (mayMatchName(name, UNLIKELY[0]) || mayMatchName(name, UNLIKELY[2])) return 'no'
  return hasUnknown(name) || mayMatchName(name, UNLIKELY[1]) ? 'maybe' : 'yes'
}

const ENV_NAMES = ['.env', '.env.local', '.env.production', '.env.development', '.env.test', '.env.staging']
const ENV_EXAMPLES = /\.(example|sample|template|tmpl|tpl|dist|defaults?|schema)$/

function isEnvName(name: string): boolean {
  return /^\.env(\.|$)/.test(name) && !ENV_EXAMPLES.test(name)
}

const KEY_NAMES = [
  ...['id_rsa', 'id_ed25519', 'id_ecdsa', 'id_dsa', 'server.key', 'private.key', 'private.pem', 'key.pem'],
  ...['server.pem', 'client.p12', 'client.pfx', 'release.keystore', 'release.jks', 'key.p8', 'key.ppk'],
]
const KEY_ENDINGS = /\.(key|p12|pfx|p8|ppk|jks|keystore|kdbx)$/
/** Certificates and public halves are made to be shown. */
const CERTIFICATES =
  /(^|[^a-z])(certs?|certificates?|ca|cacerts?|cachain|chain|fullchain|bundle|crt|csr|pub|public|dhparams?)([^a-z]|$)/

function isKeyName(name: string): boolean {
  if (/^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/.test(name) || KEY_ENDINGS.test(name))
    return !/[._-]pub(lic)?\./.test(name)
  return name.endsWith('.pem') && !CERTIFICATES.test(name.slice(0, -4))
}

/** Keys made for tests are often committed; whether this is one is for the person to say. */
const TEST_FOLDERS = /^(__)?(fixtures?|testdata|test-?keys)(__)?$/

const SSH_PUBLIC =
  /\.pub$|^(known_hosts.*|config|config\.d|authorized_keys2?|environment|rc|allowed_signers|readme(\..*)?)$/

/** Everything in `.ssh` is a key unless it is known not to be. */
function matchSshName(name: Form): Match {
  const text = exactForm(name)
  if (text !== undefined) return SSH_PUBLIC.test(text.toLowerCase()) ? 'no' : 'yes'
  if (isWhollyUnknown(name)) return 'maybe'
  return ['id_rsa', 'id_ed25519', 'id_ecdsa', 'deploy'].some((each) => mayMatchName(name, each))
    ? 'yes'
    : 'no'
}

/** Folders of the home folder that hold nothing but secrets. */
const SECRET_FOLDERS = [
  '.gnupg/private-keys-v1.d',
  '.password-store',
  'Library/Keychains',
  '.local/share/keyrings',
]

/** Whole paths: the folders themselves, when something copies them as a whole, and files of the system. */
const SECRET_PATHS = [
  ...[
    '~/.ssh',
    '~/.aws',
    '~/.gnupg',
    '~/.npmrc',
    '~/.pypirc',
    '~/.pgpass',
    '~/.vault-token',
    '~/.gem/credentials',
  ],
  ...['/etc/shadow', '/etc/gshadow', '/etc/master.passwd', '/etc/sudoers'],
]

/** File names by the folder they stand in; an empty folder means anywhere. */
const KEPT_BY_TOOLS: readonly (readonly [string, string])[] = [
  ['', '.netrc'],
  ['', '_netrc'],
  ['', '.git-credentials'],
  ['.aws', 'credentials'],
  ['.kube', 'config'],
  ['.docker', 'config.json'],
  ['.cargo', 'credentials.toml'],
  ['.cargo', 'credentials'],
  ['gh', 'hosts.yml'],
  ['gcloud', 'credentials.db'],
  ['gcloud', 'access_tokens.db'],
  ['gcloud', 'application_default_credentials.json'],
  ['.azure', 'accesstokens.json'],
  ['.azure', 'msal_token_cache.json'],
]

function wholePath(path: PathForm): string | undefined {
  const names = path.parts.map(exactForm)
  return path.anchored && names.every((name) => name !== undefined) ? `/${names.join('/')}` : undefined
}
