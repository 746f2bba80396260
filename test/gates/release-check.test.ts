import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildId, noteBuilt } from '../../scripts/build-id.mjs'
import { CLIENT_TARGETS, clientFile } from '../../scripts/build-native.mjs'
import {
  changelogSection,
  type Facts,
  FLEET_PACKAGE,
  missingForRelease,
  type PackedClient,
  placeholdersIn,
  promisedFiles,
  TARBALL_MAX_BYTES,
} from '../../scripts/release-rules.mjs'

const REPOSITORY = { type: 'git', url: 'git+https://git.example/team/holdpoint.git' }

const manifest = {
  name: 'holdpoint',
  version: '1.2.0',
  author: 'The team',
  repository: REPOSITORY,
  homepage: 'https://git.example/team/holdpoint',
  bugs: { url: 'https://git.example/team/holdpoint/issues' },
  license: 'MIT',
  description: 'A hook runtime.',
  files: ['dist', 'README.md'],
  bin: { holdpoint: 'dist/holdpoint.cjs' },
  peerDependencies: { [FLEET_PACKAGE]: '1.2.0' },
}

const client = (target: string): PackedClient => ({
  file: clientFile(target),
  machine: target,
  isExecutable: true,
})
/** The head of a program for each platform; the last one has the wrong name. */
const FIRST_BYTES = {
  'linux-x64': '7f454c4602010100000000000000000002003e00',
  'linux-arm64': '7f454c460201010000000000000000000200b700',
  'darwin-x64': 'cffaedfe0c000001',
}
const [first, ...others] = CLIENT_TARGETS
const withFirst = (change: Partial<PackedClient>) => ({
  clients: [{ ...client(first), ...change }, ...others.map(client)],
})

const complete: Facts = {
  manifest,
  lockVersion: '1.2.0',
  sourceVersion: '1.2.0',
  distVersion: '1.2.0',
  isDistStale: false,
  changelog:
    '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2030-01-31)\n\n- A change.\n\n## 1.1.0\n\n- An older change.\n',
  security: '# Security\n\n## Reporting\n\nWrite to security@git.example.\n',
  placeholders: [],
  absentFiles: [],
  changedFiles: [],
  tagPointsTo: undefined,
  givenTag: undefined,
  clients: CLIENT_TARGETS.map(client),
  fleet: { version: '1.2.0', repository: REPOSITORY },
  publint: [],
}

const without = (field: keyof typeof manifest) => ({ manifest: { ...manifest, [field]: undefined } })
const versioned = (version: string): Partial<Facts> => ({ manifest: { ...manifest, version } })

const BROKEN: readonly [string, Partial<Facts>, readonly string[]][] = [
  ['no author', without('author'), ['author']],
  ['no repository', without('repository'), ['fleet-repository', 'repository']],
  [
    'a repository that is a page',
    { manifest: { ...manifest, repository: 'https://git.example/team/holdpoint' } },
    ['fleet-repository', 'repository'],
  ],
  ['no homepage', without('homepage'), ['homepage']],
  ['no issue tracker', without('bugs'), ['bugs']],
  ['no license', without('license'), ['license']],
  ['a private package', { manifest: { ...manifest, private: true } }, ['private']],
  [
    'a version that is not semantic',
    versioned('1.2'),
    ['changelog', 'dist', 'fleet-version', 'lock-version', 'source-version', 'version'],
  ],
  ['another version in src/core/version.ts', { sourceVersion: '1.1.0' }, ['source-version']],
  ['no version in src/core/version.ts', { sourceVersion: undefined }, ['source-version']],
  ['another version in the lock file', { lockVersion: '1.1.0' }, ['lock-version']],
  ['another tag', { givenTag: 'v1.3.0' }, ['tag']],
  ['a tag without its v', { givenTag: '1.2.0' }, ['tag']],
  ['a version that was released before', { tagPointsTo: 'another commit' }, ['tag']],
  ['no changelog section', { changelog: '# Changelog\n\n## Unreleased\n\n- A change.\n' }, ['changelog']],
  ['an empty changelog section', { changelog: '## 1.2.0\n\n## 1.1.0\n\n- Older.\n' }, ['changelog']],
  [
    'the section of a version that starts the same',
    { changelog: '## 1.2.0-rc.1\n\n- A change.\n' },
    ['changelog'],
  ],
  [
    'entries that are not released',
    { changelog: '## Unreleased\n\n- More.\n\n## 1.2.0\n\n- A change.\n' },
    ['unreleased'],
  ],
  [
    'a placeholder',
    { placeholders: [{ file: 'RELEASING.md', line: 9, name: 'npm organisation' }] },
    ['placeholder'],
  ],
  ['no security policy', { security: undefined }, ['security']],
  [
    'no contact for security reports',
    { security: '## Reporting\n\nTell us.\n\n## Else\n\na@b.example' },
    ['security'],
  ],
  ['nothing built', { distVersion: undefined, absentFiles: ['dist'] }, ['dist']],
  ['an older build', { distVersion: '1.1.0' }, ['dist']],
  ['a build from before the last change', { isDistStale: true }, ['dist']],
  ['a file that does not exist', { absentFiles: ['schema'] }, ['files']],
  ['a client that was not packed', { clients: others.map(client) }, ['client']],
  ['a client of another platform', withFirst({ machine: 'darwin-arm64' }), ['client']],
  ['a client that is no program', withFirst({ machine: 'an unknown platform' }), ['client']],
  ['a client that may not be run', withFirst({ isExecutable: false }), ['client']],
  ['a tarball that is larger than promised', { tarballBytes: TARBALL_MAX_BYTES + 1 }, ['tarball-size']],
  ['no package for fleets', { fleet: undefined }, ['fleet-version']],
  [
    'a package for fleets of another version',
    { fleet: { version: '1.1.0', repository: REPOSITORY } },
    ['fleet-version'],
  ],
  [
    'a range in place of the version for fleets',
    { manifest: { ...manifest, peerDependencies: {} } },
    ['fleet-version'],
  ],
  ['a package for fleets without a repository', { fleet: { version: '1.2.0' } }, ['fleet-repository']],
  ['changed files', { changedFiles: ['README.md', 'src/core/plan/plan.ts'] }, ['git']],
  ['a folder without Git', { changedFiles: undefined }, ['git']],
  ['a finding of publint', { publint: ['pkg.exports["."].types should be the first'] }, ['publint']],
]

describe('missingForRelease', () => {
  test('accepts a complete release', () => {
    expect(missingForRelease(complete)).toEqual([])
  })

  test.each<[string, Partial<Facts>]>([
    ['the tag of this version', { givenTag: 'v1.2.0', tagPointsTo: 'this commit' }],
    ['packages and publint that are not checked', { clients: undefined, publint: undefined }],
    [
      'a link in place of an address',
      { security: '## Reporting a problem\n\nUse https://git.example/advisories/new' },
    ],
  ])('accepts %s', (_name, change) => {
    expect(missingForRelease({ ...complete, ...change })).toEqual([])
  })

  test.each(BROKEN)('finds %s', (_name, change, ids) => {
    const problems = missingForRelease({ ...complete, ...change })
    expect([...new Set(problems.map(({ id }) => id))].sort()).toEqual([...new Set(ids)])
    for (const { message, fix } of problems) {
      expect(message).toMatch(/\S/)
      expect(fix).toMatch(/^[A-Z]/)
    }
  })

  test('names each client that is missing', () => {
    const messages = missingForRelease({ ...complete, clients: [] }).map(({ message }) => message)
    expect(messages).toEqual(CLIENT_TARGETS.map((target) => `The tarball has no ${clientFile(target)}.`))
  })
})

describe('changelogSection', () => {
  test.each(['## 1.2.0', '## [1.2.0]', '## 1.2.0 (2030-01-31)', '## [1.2.0] - 2030-01-31'])(
    'reads %s',
    (heading) => {
      const changelog = `# Changelog\n\n${heading}\n\n- One.\n\n### Decisions\n\n- Two.\n\n## 1.1.0\n\n- Old.\n`
      expect(changelogSection(changelog, '1.2.0')).toBe('- One.\n\n### Decisions\n\n- Two.')
    },
  )
})

test('placeholdersIn finds values to fill in, and not the explanation of how they look', () => {
  expect(placeholdersIn('a.md', 'Replace each `<fill-in: …>`.\n| scope | <fill-in: npm scope> |')).toEqual([
    { file: 'a.md', line: 2, name: 'npm scope' },
  ])
})

test('promisedFiles lists what files, bin and exports name', () => {
  const exports = {
    '.': { types: './dist/a.d.ts', default: './dist/a.js' },
    './b': './b.json',
    './c/*': './c/*.js',
  }
  expect(promisedFiles({ files: ['dist', '!dist/x'], bin: { a: 'dist/a.cjs' }, exports })).toEqual([
    'dist',
    'dist/a.cjs',
    'dist/a.d.ts',
    'dist/a.js',
    'b.json',
  ])
})

describe('scripts/release-check.mjs', () => {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'release-check.mjs')
  const FILES = {
    'package.json': JSON.stringify(manifest),
    'packages/fleet/package.json': JSON.stringify(complete.fleet),
    'package-lock.json': JSON.stringify({ version: '1.2.0' }),
    'CHANGELOG.md': complete.changelog,
    'SECURITY.md': complete.security ?? '',
    'RELEASING.md': 'All values are filled in.\n',
    'README.md': '# Holdpoint\n',
    'src/core/version.ts': "export const VERSION = '1.2.0'\n",
    '.gitignore': 'dist/\nbuild/\n',
    'dist/holdpoint.cjs': '',
    'build/core/version.js': "export const VERSION = '1.2.0';\n",
  }

  function repository(files: Readonly<Record<string, string>>): {
    folder: string
    git: (...words: string[]) => void
  } {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-release-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@git.example', '-c', 'commit.gpgSign=false']
    const git = (...words: string[]) => void execFileSync('git', [...who, ...words], { cwd: folder })
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '-m', 'first')
    noteBuilt(folder, buildId(folder), ['dist/holdpoint.cjs'])
    return { folder, git }
  }

  function check(folder: string, ...words: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--root', folder, ...words], {
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  const idsOf = (stdout: string) => JSON.parse(stdout).problems.map(({ id }: { id: string }) => id)

  test('exits with 0 if everything is complete, also on the tagged commit', () => {
    const { folder, git } = repository(FILES)
    expect(check(folder)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Ready to release 1.2.0'),
    })
    git('tag', 'v1.2.0')
    expect(check(folder, '--tag', 'v1.2.0').status).toBe(0)
  })

  test('exits with 1 and lists what is missing, as text and as JSON', () => {
    const { folder } = repository({
      ...FILES,
      'src/core/version.ts': "export const VERSION = '1.1.0'\n",
      'RELEASING.md': '| scope | <fill-in: npm scope> |\n',
    })
    writeFileSync(join(folder, 'README.md'), 'changed')
    const text = check(folder, '--tag', 'v9.0.0')
    expect(text.status).toBe(1)
    expect(text.stdout).toContain('RELEASING.md:1: the value "npm scope" is not filled in.')
    expect(text.stdout).toContain('Files are not committed: README.md.')
    const json = check(folder, '--tag', 'v9.0.0', '--json')
    expect(json.status).toBe(1)
    expect(idsOf(json.stdout)).toEqual(['source-version', 'tag', 'placeholder', 'git'])
  })

  test('reports a build from before the last change of a source', () => {
    const { folder, git } = repository(FILES)
    writeFileSync(join(folder, 'src', 'core', 'other.ts'), 'export {}\n')
    git('add', '.')
    git('commit', '--quiet', '-m', 'second')
    expect(JSON.parse(check(folder, '--json').stdout).problems).toMatchObject([
      { message: 'dist/ is older than the sources.' },
    ])
  })

  test('reports a version whose tag is on an older commit', () => {
    const { folder, git } = repository(FILES)
    git('tag', 'v1.2.0')
    git('commit', '--quiet', '--allow-empty', '-m', 'second')
    expect(idsOf(check(folder, '--json').stdout)).toEqual(['tag'])
  })

  test('checks the clients in the tarball', () => {
    const { folder } = repository(FILES)
    const packed = mkdtempSync(join(tmpdir(), 'holdpoint-packed-'))
    onTestFinished(() => rmSync(packed, { recursive: true, force: true }))
    mkdirSync(join(packed, 'package', 'dist', 'native'), { recursive: true })
    for (const [target, bytes] of Object.entries(FIRST_BYTES)) {
      const mode = target === 'linux-arm64' ? 0o644 : 0o755
      writeFileSync(join(packed, 'package', clientFile(target)), Buffer.from(bytes, 'hex'), { mode })
    }
    execFileSync('tar', ['-czf', 'holdpoint-1.2.0.tgz', 'package'], { cwd: packed })
    const { stdout } = check(folder, '--json', '--tarball', join(packed, 'holdpoint-1.2.0.tgz'))
    const messages = JSON.parse(stdout).problems.map((each: { message: string }) => each.message)
    expect(messages).toEqual([
      'dist/native/holdpoint-hook-linux-arm64 in the tarball may not be run.',
      'dist/native/holdpoint-hook-darwin-x64 in the tarball is a program for darwin-arm64.',
      'The tarball has no dist/native/holdpoint-hook-darwin-arm64.',
    ])
  })

  test('prints the release notes', () => {
    const { folder } = repository(FILES)
    expect(check(folder, '--notes')).toMatchObject({ status: 0, stdout: '- A change.\n' })
    writeFileSync(join(folder, 'CHANGELOG.md'), '## Unreleased\n')
    expect(check(folder, '--notes')).toMatchObject({ status: 1, stdout: '' })
  })
})
