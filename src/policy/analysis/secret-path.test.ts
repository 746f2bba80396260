import { describe, expect, it } from 'vitest'
import { resolveForm } from '../../shell/words/paths.ts'
import { type Form, patternForm } from '../../shell/words/words.ts'
import {
  isCredentialFile,
  isEnvFile,
  isLikelySecret,
  isPrivateKey,
  isSettingsFile,
  nameMayBe,
} from './secret-path.ts'

const place = { cwd: '/srv/project', home: '/home/dev' }
const unknown: Form = [{ kind: 'unknown', text: '$X' }]

function pathOf(text: string) {
  return resolveForm(patternForm(text), place)
}

describe('isEnvFile', () => {
  it.each([
    ['.env', 'yes'],
    ['a/.env', 'yes'],
    ['.ENV', 'yes'],
    ['.env.local', 'yes'],
    ['.env.production.local', 'yes'],
    ['.env.example.local', 'yes'],
    ['.env*', 'yes'],
    ['.e*', 'yes'],
    ['.en?', 'yes'],
    ['.env.[a-m]*', 'yes'],
    ['.*', 'maybe'],
    ['*', 'no'],
    ['*.env', 'no'],
    ['.env.example', 'no'],
    ['.env.local.sample', 'no'],
    ['.env.d/x', 'no'],
    ['.environment', 'no'],
    ['.envrc', 'no'],
    ['env', 'no'],
    ['prod.env', 'no'],
  ])('%s: %s', (text, match) => {
    expect(isEnvFile(pathOf(text))).toBe(match)
  })

  it('judges a partly known path by its end', () => {
    const tail = (text: string): Form => [...unknown, { kind: 'text', text }]
    expect(isEnvFile(resolveForm(tail('/.env'), place))).toBe('yes')
    expect(isEnvFile(resolveForm([{ kind: 'text', text: '.env.' }, ...unknown], place))).toBe('maybe')
    expect(isEnvFile(resolveForm(unknown, place))).toBe('no')
  })
})

describe('isPrivateKey', () => {
  it.each([
    ['id_rsa', 'yes'],
    ['/x/id_ed25519', 'yes'],
    ['id_ed25519_sk', 'yes'],
    ['id_rsa.pub', 'no'],
    ['~/.ssh/anything', 'yes'],
    ['~/.ssh/anything.pub', 'no'],
    ['~/.ssh/config', 'no'],
    ['~/.ssh/known_hosts.old', 'no'],
    ['~/.ssh/authorized_keys', 'no'],
    ['/home/alice/.ssh/work', 'yes'],
    ['~/.ssh', 'yes'],
    ['~/.ssh/*', 'yes'],
    ['~/.ssh/*.pub', 'no'],
    ['server.key', 'yes'],
    ['SERVER.KEY', 'yes'],
    ['*.key', 'yes'],
    ['private.pem', 'yes'],
    ['*.pem', 'yes'],
    ['cert.pem', 'no'],
    ['server-cert.pem', 'no'],
    ['fullchain.pem', 'no'],
    ['ca.pem', 'no'],
    ['root-ca.pem', 'no'],
    ['public.pem', 'no'],
    ['cable.pem', 'yes'],
    ['server.crt', 'no'],
    ['a.p12', 'yes'],
    ['a.pfx', 'yes'],
    ['test/fixtures/server.key', 'maybe'],
    ['.env.key.bak', 'yes'],
    ['id_rsa.old', 'yes'],
    ['server.key~', 'yes'],
    ['.ssh', 'yes'],
    ['~/.gnupg', 'yes'],
    ['/etc/ssl/private/a', 'yes'],
    ['~/.gnupg/private-keys-v1.d/a', 'yes'],
    ['/etc/passwd', 'no'],
    ['*', 'no'],
    ['*.json', 'no'],
    ['src/key.ts', 'no'],
    ['keys.md', 'no'],
  ])('%s: %s', (text, match) => {
    expect(isPrivateKey(pathOf(text), place.home)).toBe(match)
  })
})

describe('isCredentialFile', () => {
  it.each([
    ['~/.aws/credentials', 'yes'],
    ['/var/x/.aws/credentials', 'yes'],
    ['~/.aws/credential?', 'yes'],
    ['~/.aws/config', 'no'],
    ['src/credentials', 'no'],
    ['~/.kube/config', 'yes'],
    ['config', 'no'],
    ['~/.docker/config.json', 'yes'],
    ['config.json', 'no'],
    ['.netrc', 'yes'],
    ['.git-credentials', 'yes'],
    ['~/.npmrc', 'yes'],
    ['.npmrc', 'no'],
    ['~/.config/gcloud/credentials.db', 'yes'],
    ['~/.config/gh/hosts.yml', 'yes'],
    ['/etc/shadow', 'yes'],
    ['/etc/passwd', 'no'],
    ['/home/alice/.npmrc', 'yes'],
    ['/root/.docker/config.json', 'yes'],
    ['~/.config/pypoetry/auth.toml', 'yes'],
    ['~/.config/containers/auth.json', 'yes'],
    ['auth.json', 'no'],
    ['/etc/kubernetes/admin.conf', 'yes'],
    ['deploy/prod.kubeconfig', 'yes'],
    ['.pgpass', 'yes'],
    ['~/Library/Keychains/login.keychain-db', 'yes'],
    ['~/.password-store/mail.gpg', 'yes'],
    ['~/.password-store/$X', 'yes'],
    ['service-account-prod.json', 'yes'],
    ['/proc/self/environ', 'yes'],
    ['/proc/*/environ', 'yes'],
    ['/proc/cpuinfo', 'no'],
    ['google-chrome', 'no'],
    ['fixtures/.netrc', 'maybe'],
    ['*.json', 'no'],
    ['config/*.json', 'no'],
    ['packages/*/config.json', 'no'],
    ['*/*/config', 'no'],
    ['service-account*', 'yes'],
    ['*firebase-adminsdk*', 'yes'],
    ['~/.*/credentials', 'yes'],
    ['~/.docker/*.json', 'no'],
    ['~/.kube/conf*', 'yes'],
  ])('%s: %s', (text, match) => {
    expect(isCredentialFile(pathOf(text), place.home)).toBe(match)
  })

  it('judges a partly known path', () => {
    const path = resolveForm(
      [{ kind: 'text', text: '/proc/' }, ...unknown, { kind: 'text', text: '/environ' }],
      place,
    )
    expect(isCredentialFile(path, place.home)).toBe('maybe')
    expect(isCredentialFile(resolveForm(unknown, place), place.home)).toBe('no')
    const below = (folder: string, name: string): Form => [
      { kind: 'text', text: `${folder}/` },
      ...unknown,
      { kind: 'text', text: `/${name}` },
    ]
    expect(isCredentialFile(resolveForm(below('.', 'config.json'), place), place.home)).toBe('no')
    expect(isCredentialFile(resolveForm(below('~', 'config.json'), place), place.home)).toBe('maybe')
    expect(isCredentialFile(resolveForm(below('.', 'credentials'), place), place.home)).toBe('maybe')
  })
})

describe('isSettingsFile and isLikelySecret', () => {
  it.each([
    ['settings.php', 'yes', 'no'],
    ['web/sites/default/settings.php', 'yes', 'no'],
    ['default.settings.php', 'no', 'no'],
    ['wp-config.php', 'yes', 'no'],
    ['wp-config-sample.php', 'no', 'no'],
    ['terraform.tfstate', 'no', 'yes'],
    ['~/.bash_history', 'no', 'yes'],
    ['config/secrets.yml', 'no', 'yes'],
    ['test/fixtures/secrets.yml', 'no', 'no'],
    ['src/secrets.ts', 'no', 'no'],
    ['tokens.json', 'no', 'no'],
  ])('%s: %s, %s', (text, settings, likely) => {
    expect(isSettingsFile(pathOf(text), place.home)).toBe(settings)
    expect(isLikelySecret(pathOf(text), place.home)).toBe(likely)
  })
})

describe('nameMayBe', () => {
  it.each([
    ['.env*', 'env', true],
    ['*.env', 'env', true],
    ['.env', 'env', true],
    ['*', 'env', false],
    ['*.ts', 'env', false],
    ['.env.example', 'env', false],
    ['*.pem', 'key', true],
    ['id_*', 'key', true],
    ['*.*', 'key', true],
  ] as const)('%s as %s: %s', (pattern, names, expected) => {
    expect(nameMayBe(patternForm(pattern), names)).toBe(expected && pattern !== '*.*')
  })
})
