import { exactText } from '../../words/words.ts'
import type { FileUse } from '../aspects/file-use.ts'
import { only, PLAIN, SEPARATED, type Wrapper } from '../aspects/wrapper.ts'
import { type CredentialRule, each, type ProgramTable } from '../program.ts'

const loads = /^-[ef]$/

/** `dotenv list` prints `.env`; without a file named to it, it takes that one. */
const settings: NonNullable<FileUse['settings']> = (args, given) => {
  if (given) return undefined
  const prints = args.some((word) => /^(?:list|get)$/.test(exactText(word) ?? ''))
  return prints ? { file: '.env' } : { file: '.env', loaded: true }
}
const encrypted = { operands: 'metadata' } as const

/** Stores of passwords and settings: what they print, and what they run with them. */
export const SECRET_STORES: ProgramTable = {
  dotenv: {
    wraps: {
      options: 'f|file= e= v= p= c=? o q=? export=',
      separated: true,
      verbs: { run: PLAIN },
      ownVerbs: 'list get set unset',
    },
    files: { loads, settings, loader: true },
  },
  'dotenv-cli': {
    wraps: { options: 'e= v= p= c=? o', separated: true },
    files: { loads, settings, loader: true },
  },
  dotenvx: {
    wraps: only('run', {
      options: 'f|env-file= fk|env-keys-file= e|env= o|overload q|quiet v|verbose d|debug',
      separated: true,
    }),
    files: { loads, settings, loader: true },
  },
  godotenv: { files: { loads, settings, loader: true } },
  'env-cmd': {
    wraps: {
      options:
        'f|file= e|environments= r|rc-file= x|expand-envs fallback no-override verbose silent use-shell',
      joins: 'use-shell',
    },
    files: { loads, loader: true },
  },
  'foreman honcho': { wraps: only('run', { options: 'e|env= f|procfile=' }), files: { loads, loader: true } },
  overmind: { files: { loads, loader: true } },
  direnv: {
    wraps: only('exec', { ...PLAIN, operands: 1 }),
    credentials: [['the variables of the folder', /^(export|dump)\b/]],
  },
  doppler: {
    wraps: only(
      'run',
      {
        options:
          'p|project= c|config= t|token= command= mount= mount-format= name-transformer= scope= fallback=',
        code: 'command',
        separated: true,
      },
      'p|project= c|config= t|token=',
    ),
    credentials: [['secrets kept by Doppler', /^secrets( get| download)?\b|\bconfigs tokens create\b/]],
  },
  op: {
    wraps: only('run', { options: 'env-file= account= no-masking', separated: true }),
    credentials: [['a secret of 1Password', /^(read|item get|document get|signin)\b/]],
  },
  infisical: {
    wraps: only('run', {
      options: 'command= env= e= path= projectId= token= tags=',
      code: 'command',
      separated: true,
    }),
    credentials: [['secrets kept by Infisical', /^(secrets|export)\b/]],
  },
  ...each<Wrapper>((wraps) => ({ wraps }), {
    'aws-vault': only('exec', {
      options: 'd|duration= region= mfa-token= t= n|no-session s|ecs-server',
      operands: 1,
      separated: true,
    }),
    teller: only('run', SEPARATED),
    envchain: { ...PLAIN, operands: 1 },
  }),
  chamber: {
    wraps: only('exec', SEPARATED),
    credentials: [['secrets kept by Chamber', /^(read|export|env)\b/]],
  },
  sops: {
    wraps: {
      ...PLAIN,
      verbs: {
        'exec-env': { ...PLAIN, operands: 1, joins: true },
        'exec-file': { ...PLAIN, operands: 1, joins: true },
      },
    },
    files: encrypted,
    credentials: [['what is encrypted in the file', /./, / (-d|--decrypt|decrypt) /]],
  },
  'ansible-vault': {
    files: encrypted,
    credentials: [['what is encrypted in the vault', /^(view|decrypt)\b/]],
  },
  gpg: {
    files: encrypted,
    credentials: [
      ['what is encrypted in the file', /./, /^(?!.* (-o|--output)[ =]).* (-d|--decrypt) /],
      ['a private key', /^/, / --export-secret-\S* /],
    ],
    keeps: { kind: 'compresses', suffix: '.gpg' },
  },
  gpg2: {
    credentials: [
      ['what is encrypted in the file', /./, /^(?!.* (-o|--output)[ =]).* (-d|--decrypt) /],
      ['a private key', /^/, / --export-secret-\S* /],
    ],
    keeps: { kind: 'compresses', suffix: '.gpg' },
  },
  age: {
    files: { operands: 'metadata', keys: /^-i$/ },
    credentials: [['what is encrypted in the file', /./, /^(?!.* (-o|--output)[ =]).* (-d|--decrypt) /]],
    keeps: { kind: 'compresses' },
  },
  rage: {
    credentials: [['what is encrypted in the file', /./, /^(?!.* (-o|--output)[ =]).* (-d|--decrypt) /]],
    keeps: { kind: 'compresses' },
  },
  ...each<readonly CredentialRule[]>((credentials) => ({ credentials }), {
    bw: [['a secret of Bitwarden', /^(get|unlock|export|list items)\b/]],
    lpass: [['a password of LastPass', /^(show|export)\b/]],
    pass: [
      [
        'a password of the store',
        /^(?!(?:ls|list|find|git|init|help|version|insert|generate|rm|mv|cp|edit)\b)(show\s+)?\S/,
      ],
    ],
    gopass: [['a password of the store', /^(show|cat)\b/]],
    keyring: [['a password of the keyring', /^get\b/]],
    'secret-tool': [['a password of the keyring', /^(lookup|search)\b/]],
    security: [
      // Letters in a bundle, the last of which may have its value attached or behind it: `-wa github`.
      [
        'a password of the keychain',
        /^(find-(generic|internet)-password)\b/,
        / -(?:[a-z]*[gw] |[ghw]*[gw][a-zA-Z])/,
      ],
      // Its commands come from standard input.
      ['the keychain', /^$/, / -i /],
      ['the keychain', /^(dump-keychain|export)\b/],
    ],
    'kwallet-query': [['a password of the wallet', /./, / (-[a-z]*r|--read-password)/]],
    'docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice':
      [['a registry password', /^get\b/]],
  }),
}
