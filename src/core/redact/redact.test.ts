import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Json } from '../json.ts'
import { linearMasker } from '../match/regex.ts'
import { redact, redactJson } from './redact.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const text = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((chars) => chars.join(''))
const word = (length: number) => text(letters, length - 3).map((chars) => `a${chars}Z7`)
const upper = (length: number) => text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length)
const base64 = (length: number) => text(`${letters}+/`, length - 2).map((chars) => `a${chars}7`)

/** For each kind: a secret, and text that contains it. */
const KINDS: Readonly<Record<string, readonly [fc.Arbitrary<string>, (secret: string) => string]>> = {
  'PEM key': [base64(300), (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`],
  'PEM key in JSON': [base64(60), (s) => `-----BEGIN PRIVATE KEY-----\\n${s}\\n-----END PRIVATE KEY-----\\n`],
  'PEM key, cut off': [base64(60), (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}`],
  'encrypted PEM key': [
    base64(60),
    (s) =>
      `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n\n${s}\n-----END`,
  ],
  'AWS key id': [upper(16), (s) => `AKIA${s}`],
  'AWS temporary key id': [upper(16), (s) => `ASIA${s}`],
  'AWS secret key': [base64(40), (s) => `aws_secret_access_key = ${s}`],
  'AWS secret key, configured': [base64(40), (s) => `aws configure set aws_secret_access_key ${s}`],
  'AWS secret key beside its id': [base64(40), (s) => `AKIAIOSFODNN7EXAMPLE,${s}`],
  'GitHub token': [word(36), (s) => `ghp_${s}`],
  'GitHub OAuth token': [word(36), (s) => `gho_${s}`],
  'GitHub server token': [word(36), (s) => `ghs_${s}`],
  'GitHub fine-grained token': [word(82), (s) => `github_pat_${s}`],
  'GitLab token': [word(20), (s) => `glpat-${s}`],
  'Slack token': [word(24), (s) => `xoxb-123456789012-${s}`],
  'OpenAI key': [word(48), (s) => `sk-${s}`],
  'OpenAI project key': [word(60), (s) => `sk-proj-${s}`],
  'Anthropic key': [word(90), (s) => `sk-ant-api03-${s}`],
  'Stripe key': [word(24), (s) => `sk_live_${s}`],
  'Stripe restricted key': [word(24), (s) => `rk_test_${s}`],
  'Google key': [word(35), (s) => `AIza${s}`],
  'npm token': [word(36), (s) => `npm_${s}`],
  JWT: [word(40), (s) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0${s}.${s}`],
  'bearer header': [word(12), (s) => `Authorization: Bearer ${s}`],
  'basic header': [base64(12), (s) => `-H 'Authorization: Basic ${s}=='`],
  'header in JSON': [word(12), (s) => `{"authorization":"Bearer ${s}"}`],
  'header in quoted JSON': [word(12), (s) => `{\\"Authorization\\": \\"Bearer ${s}\\"}`],
  'header of another kind': [word(30), (s) => `X-Api-Key: ${s}`],
  cookie: [word(20), (s) => `Cookie: theme=dark; sid=${s}`],
  'URL password': [word(10), (s) => `postgres://app:${s}@db.internal:5432/main`],
  'URL password with an @': [word(10), (s) => `mysql://app:p@${s}@db/main`],
  'URL password with a slash': [word(10), (s) => `mysql://app:p/${s}@db/main`],
  'URL password without user': [word(10), (s) => `redis://:${s}@cache`],
  'query parameter': [word(10), (s) => `https://x.test/?access_token=${s}&page=2`],
  assignment: [word(10), (s) => `DB_PASSWORD=${s}`],
  'assignment in camel case': [word(10), (s) => `clientSecret = '${s}'`],
  'assignment with more after the word': [word(10), (s) => `GITHUB_TOKEN_PROD=${s}`],
  'exported and quoted': [word(10), (s) => `export API_KEY="${s} and spaces"`],
  'quoted with escaped quotes': [word(10), (s) => `password = "a\\"b ${s}"`],
  'numbered name': [word(10), (s) => `password2=${s}`],
  'run-together name': [word(10), (s) => `dbpassword=${s}`],
  YAML: [word(10), (s) => `passwd: ${s}`],
  'YAML block': [word(10), (s) => `password: |\n  ${s}\n`],
  'JSON field': [word(10), (s) => `{"user":"bob","private_key":"${s}"}`],
  'JSON field, cut off': [word(10), (s) => `{"client_secret": "${s}`],
  'JSON number-like': [text('123456789', 9), (s) => `{"password": ${s}}`],
  'JSON list': [word(10), (s) => `"api_keys": ["x", "${s}"]`],
  'JSON in JSON': [word(10), (s) => `"{\\"token\\": \\"x\\\\\\"${s}\\"}"`],
  option: [word(10), (s) => `login --password ${s}`],
  'option with =': [word(10), (s) => `login --api-key=${s}`],
  'quoted option': [word(10), (s) => `login --token '${s}'`],
  'option in a list': [word(10), (s) => `["--password", "${s}"]`],
  'value in a call': [word(10), (s) => `password = Secret("${s}")`],
  'bytes literal': [word(10), (s) => `SECRET_KEY = b'${s}'`],
  'index assignment': [word(10), (s) => `env["API_TOKEN"] = "${s}"`],
  'XML element': [word(10), (s) => `<password>${s}</password>`],
  'netrc line': [word(10), (s) => `machine x login bob password ${s}`],
  'npmrc line': [word(10), (s) => `//registry.npmjs.org/:_authToken=${s}`],
  'curl user': [word(10), (s) => `curl -u bob:${s} https://x.test`],
  passphrase: [word(10), (s) => `passphrase: correct horse ${s}`],
}

describe('a secret is masked', () => {
  test.each(Object.entries(KINDS))('%s', (_, [secrets, wrap]) => {
    const around = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.lorem({ maxCount: 5 }),
      fc.constantFrom(
        '',
        'x',
        '"',
        "'",
        '\\"',
        '--',
        'token=',
        'key: ',
        '://',
        'password="',
        '[redacted:',
        '$(',
      ),
    )
    fc.assert(
      fc.property(around, secrets, around, (before, secret, after) => {
        const masked = redact(`${before}${wrap(secret)}${after}`)
        expect(masked).toContain('[redacted:')
        expect(masked).not.toContain(secret)
      }),
      { numRuns: 150 },
    )
  })

  it('also when a pattern of the user matches it', () => {
    expect(redact('id EMP-123, EMP-9', [linearMasker('EMP-\\d+')])).toBe(
      'id [redacted:custom], [redacted:custom]',
    )
  })
})

describe('the text around a secret is kept', () => {
  test.each<[string, string]>([
    [
      'curl -H "Authorization: Bearer abc123" https://x.test',
      'curl -H "Authorization: Bearer [redacted:authorization]" https://x.test',
    ],
    [
      'psql postgres://app:hunter2@db/main -c "select 1"',
      'psql postgres://app:[redacted:url-password]@db/main -c "select 1"',
    ],
    [
      'GITHUB_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789 gh pr list',
      'GITHUB_TOKEN=[redacted:github-token] gh pr list',
    ],
    ['TOKEN=abc123 && rm -rf build', 'TOKEN=[redacted:secret] && rm -rf build'],
    ['TOKEN=abc123&&rm -rf build', 'TOKEN=[redacted:secret]&&rm -rf build'],
    ['https://x.test/?token=abc123&page=2#top', 'https://x.test/?token=[redacted:secret]&page=2#top'],
    [
      '{"user":"bob","password":"p\\"w","role":"x"}',
      '{"user":"bob","password":"[redacted:secret]","role":"x"}',
    ],
    [
      '{\\"password\\":\\"pw\\",\\"role\\":\\"x\\"}',
      '{\\"password\\":\\"[redacted:secret]\\",\\"role\\":\\"x\\"}',
    ],
    ['login(password=hunter2, user=bob)', 'login(password=[redacted:secret], user=bob)'],
    [
      '{"user":"x","password":") hunter2","role":"x"}',
      '{"user":"x","password":"[redacted:secret]","role":"x"}',
    ],
    ['login --password hunter2 --user bob', 'login --password [redacted:secret] --user bob'],
    ['user: bob\npassword: hunter2\nhost: db', 'user: bob\npassword: [redacted:secret]\nhost: db'],
    ['a\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nb', 'a\n[redacted:private-key]\nb'],
    [`password='a token="b' c" d`, `password='[redacted:secret]" d`],
    [
      '<user>bob</user><password>hunter2</password>',
      '<user>bob</user><password>[redacted:secret]</password>',
    ],
  ])('%s', (before, after) => {
    expect(redact(before)).toBe(after)
  })
})

describe('harmless text is not changed', () => {
  test.each([
    '',
    'hello world',
    'git commit -m "Add token refresh to the login flow"',
    'git commit -m "fix(token): handle expiry"',
    'git commit -m "token: handle expiry of sessions"',
    'docs: explain how the secret store works',
    'Remove password reset page; the token bucket is enough',
    'python tokenizer.py --max-tokens 4096',
    'tokenizer.py: rewritten',
    'max_tokens=4096, total_tokens: 1500',
    '"token_type": "bearer", "token_count": 12, "password_file": "/run/pw"',
    'git rev-parse HEAD -> 3f2504e04f8911d39a0c0305e82c3301abcdef12',
    'a3bb189e-8bf9-3888-9912-ace4e6543002',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'primary key: id, foreign key: user_id, sort key = name',
    'interface User { password: string; token: string | undefined; secret: null }',
    'curl -H "Authorization: Bearer $TOKEN" https://x.test',
    'DB_PASSWORD=$DB_PASSWORD API_KEY=$API_KEY TOKEN=$(gh auth token) ./run.sh',
    'psql postgres://app:$DB_PASSWORD@db/main',
    'docker login --password-stdin registry.test',
    'docker run -u 1000:1000 image',
    'git push -u origin main',
    'socat -u OPEN:server.key TCP:host:4444',
    '{"command": "gh gist list --secret", "expected": "allow"}',
    'const token = lexer.next()',
    'secrets: inherit',
    'PWD=/srv/project OLDPWD=/home/dev',
    'ansible-playbook --private-key ~/.ssh/id_deploy site.yml',
    '--- PASS: TestLogin (0.00s)',
    'risk-assessment-of-the-whole-system and task-management-for-large-teams-2',
    'http://localhost:8080/@scope/package',
    'https://registry.npmjs.org/@types/node',
    'git@github.com:owner/repository.git',
    'ssh://git@host:22/path',
    'npm_config_registry=https://x.test npm_lifecycle_event=test',
    'grep -rn "password" src',
    'grep -rn "password=" src && rm -rf build',
    "grep 'token: ' src; ls",
    'echo "{\\"token=\\" }" && make',
    'indent = token.indent ? token.indent : -1',
    '/(?<secret>[a-z]+)x/',
    'keyboard: qwerty, monkey: banana, keyword: search',
    'echo "-----BEGIN CERTIFICATE-----"',
    'compass: north, bypass = true, passing: 12',
    '[redacted:secret]',
    'Authorization: required for all routes',
    'Set-Cookie is not used',
  ])('%s', (harmless) => {
    expect(redact(harmless)).toBe(harmless)
  })
})

describe('masked text', () => {
  it('does not change when it is masked again', () => {
    for (const [secrets, wrap] of Object.values(KINDS)) {
      fc.assert(
        fc.property(secrets, (secret) => {
          const once = redact(`a ${wrap(secret)} b`)
          expect(redact(once)).toBe(once)
        }),
        { numRuns: 10 },
      )
    }
  })

  it('equals the original if the text contains no secret', () => {
    fc.assert(
      fc.property(text(' \n\t.,0123456789()+*', 60), (plain) => {
        expect(redact(plain)).toBe(plain)
      }),
    )
  })
})

describe('masking long hostile text', () => {
  // Enough that quadratic time would be noticed: 40 thousand million steps.
  const length = 200_000
  test.each([
    'a',
    'A',
    '0',
    '-',
    '\\',
    '"',
    '/',
    ' ',
    '\n',
    'eyJ',
    'eyJ.',
    '.eyJ',
    'eyJa-',
    '://',
    'a://',
    '://a:',
    ':@',
    'sk-',
    'ghp_',
    'AKIA',
    'xox',
    'SG.',
    'key',
    'token',
    'token ',
    'token=',
    'token="',
    "token='x",
    'token=\\"',
    'password: ',
    'password=[',
    'password=$(',
    'password="\\',
    '--token ',
    '--token,',
    'tokens=1',
    'token=x ',
    'token= token=',
    'token=a"',
    '<password>',
    'key_key_',
    'secret_',
    'tokenizer="',
    'pass',
    '_auth',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY----- -',
    'authorization: ',
    'authorization: bearer ',
    'bearer ',
    'cookie: a',
    ' -u a',
    ' -u a:',
    'login a ',
    'login a password ',
    'set a_token ',
    'password: |\n ',
    'passphrase: ',
    'npm_',
    'hooks.slack.com/services/',
    '[redacted:',
    'token=[redacted:x]',
    'a@',
    ':/',
    'token&',
    'token=&a',
    'token=|',
  ])('of %j finishes', (piece) => {
    const hostile = piece.repeat(Math.ceil(length / piece.length))
    expect(typeof redact(hostile)).toBe('string')
  })
})

describe('redactJson', () => {
  test.each<[string, Json, Json]>([
    [
      'texts anywhere',
      { a: ['TOKEN=abc1', { b: 'plain' }] },
      { a: ['TOKEN=[redacted:secret]', { b: 'plain' }] },
    ],
    ['a named text', { password: 'x', user: 'bob' }, { password: '[redacted:secret]', user: 'bob' }],
    [
      'a named number, list, object',
      { secret: 1, apiKeys: ['x'], credentials: { a: 1 } },
      { secret: '[redacted:secret]', apiKeys: '[redacted:secret]', credentials: '[redacted:secret]' },
    ],
    [
      'nothing to hide',
      { password: null, token: false, secret: '' },
      { password: null, token: false, secret: '' },
    ],
    [
      'numbers of tokens',
      { max_tokens: 5, tokens: 6, token_count: 7 },
      { max_tokens: 5, tokens: 6, token_count: 7 },
    ],
    [
      'pairs of name and value',
      [
        { name: 'DB_PASSWORD', value: 'x' },
        { name: 'PORT', value: '80' },
      ],
      [
        { name: 'DB_PASSWORD', value: '[redacted:secret]' },
        { name: 'PORT', value: '80' },
      ],
    ],
    [
      'arguments',
      ['run', '--password', 'x', '--token', '--verbose', 'y'],
      ['run', '--password', '[redacted:secret]', '--token', '--verbose', 'y'],
    ],
    ['a secret as a key', { AKIAIOSFODNN7EXAMPLE: 1 }, { '[redacted:aws-access-key]': 1 }],
    ['other values', [null, true, 1.5, 'x'], [null, true, 1.5, 'x']],
  ])('%s', (_, before, after) => {
    expect(redactJson(before)).toEqual(after)
  })

  it('keeps a key named __proto__ as a key', () => {
    const masked = redactJson(JSON.parse('{"__proto__": {"a": 1}}'))
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"a":1}}')
  })

  it('handles deeply nested values', () => {
    let deep: Json = 'TOKEN=abc1'
    for (let n = 0; n < 100_000; n++) deep = [deep]
    expect(JSON.stringify(redactJson(deep))).toContain('[redacted:too-deep]')
  })

  it('uses the extra patterns', () => {
    expect(redactJson({ a: 'EMP-1' }, [(text) => text.replaceAll(/EMP-\d/g, '[redacted:custom]')])).toEqual({
      a: '[redacted:custom]',
    })
  })
})
