import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foreignFiles, programFiles } from '../handlers/program-files.ts'
import { arePinned, MISSING, pinOf, UNFIT } from './trust.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'holdpoint-trust-'))
  mkdirSync(join(root, 'h'))
  for (const name of ['h/x.sh', 'x.py', 'lib.sh']) writeFileSync(join(root, name), '')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const filesOf = (command: string, args?: readonly string[]) =>
  programFiles({
    run: { type: 'command', command, root, ...(args === undefined ? {} : { args: [...args] }) },
  })

describe('the files that a hook would start', () => {
  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['./h/x.sh', undefined, ['h/x.sh']],
    ['./h/x.sh --all', undefined, ['h/x.sh']],
    ['h/x.sh && ./missing.sh', undefined, ['h/x.sh', 'missing.sh']],
    ['python3 x.py', undefined, ['x.py']],
    ['python3', ['x.py'], ['x.py']],
    ['python3 "$CLAUDE_PROJECT_DIR"/x.py', undefined, ['x.py']],
    [`exec "\${CLAUDE_PROJECT_DIR}/h/x.sh"`, undefined, ['h/x.sh']],
    ['"$CLAUDE_PROJECT_DIR"/h/x.sh "$(git rev-parse HEAD)"', undefined, ['h/x.sh']],
    ['. ./lib.sh; check', undefined, ['lib.sh']],
    ['bash -c "./h/x.sh"', undefined, ['h/x.sh']],
    ['npm test', undefined, []],
    ['make test', undefined, []],
    ['node --test h', undefined, []],
    // Not the tests, but the files that name code for every run.
    ['bun test h', undefined, ['bunfig.toml', '.env', '.env.local', 'tsconfig.json']],
    ['deno test --allow-read', undefined, ['deno.json', 'deno.jsonc']],
    ['cargo test', undefined, []],
    ['npx vitest run', undefined, []],
    ['python3 -m pytest -q', undefined, ['pytest', 'pytest.py', 'pytest/__init__.py', 'pytest/__main__.py']],
    [
      'python -m unittest discover',
      undefined,
      ['unittest', 'unittest.py', 'unittest/__init__.py', 'unittest/__main__.py'],
    ],
    ['cd "$CLAUDE_PROJECT_DIR" && ./h/x.sh', undefined, ['h/x.sh']],
    ['cd h && npm test', undefined, []],
    ['bash < lib.sh', undefined, ['lib.sh']],
    ['cat | python3 < later.py', undefined, ['later.py']],
    ['python3 later.py h', undefined, ['later.py']],
    ['node --require ./h/a.js later.mjs', undefined, ['h/a.js', 'later.mjs']],
    ['{ bash; } < lib.sh', undefined, ['lib.sh']],
    ['cat lib.sh | sh', undefined, ['lib.sh']],
    ['cat later.sh | sh', undefined, ['later.sh']],
    ['exec < later.sh; bash', undefined, ['later.sh']],
    ['echo "$PATH" && ./h/x.sh', undefined, ['h/x.sh']],
  ])('are pinned for: %s %s', (command, args, expected) => {
    expect(filesOf(command, args)).toEqual(expected.map((name) => join(root, name)))
  })

  it.each([
    'python3 "$SCRIPT"',
    '$TOOL --check',
    'bash "$(find . -name x.sh)"',
    'eval "$CODE"',
    'a "',
    // In another folder, the same words are other files.
    'cd h && ./x.sh',
    'cd h; bash x.sh',
    'pushd h; ./x.sh',
    'cd "$X" && ./h/x.sh',
    '(cd h && sh x.sh)',
    'env -C h ./x.sh',
    'env --chdir=h bash x.sh',
    'find . -execdir ./x.sh ";"',
    // Other programs or libraries with the same names.
    'PATH=./h:$PATH x.sh',
    'export PATH="./h:$PATH"; x.sh',
    'BASH_ENV=./lib.sh bash -c true',
    'ENV=./lib.sh sh -i',
    'PYTHONPATH=. python3 x.py',
    'export PYTHONSTARTUP=x.py; python3 -i',
    'NODE_OPTIONS="--require ./a.js" node x.js',
    'NODE_PATH=. node x.js',
    'LD_PRELOAD=./a.so ls',
    'DYLD_INSERT_LIBRARIES=./a.dylib ls',
    'PERL5LIB=. perl x',
    'PERL5OPT=-Mx perl x',
    'IFS=/ ./h/x.sh',
    'RUBYOPT=-rx ruby x',
    'RUBYLIB=. ruby x',
    'env PATH=h x.sh',
    'declare -x "PA"TH=h; x.sh',
    'read PATH < lib.sh; x.sh',
    'for PATH in h; do x.sh; done',
    'true "${PATH:=h}"; x.sh',
    "export 'PA''TH=h'",
    // Everything in a folder, or a name that is computed.
    'python3 -m tool',
    'python3 -um tool',
    'python3 h',
    'node h',
    'node check',
    'run-parts h',
    'bash < "$X"',
    'alias ls=./x; ls',
    'eval "PA"TH=h; x.sh',
    '{ bash; } < "$X"',
    'echo lib.sh | xargs sh',
    'perl -Ilib x.pl',
    'ruby -r./x y.rb',
    'node --require=./a.js x.js',
    'sh /proc/self/cwd/lib.sh',
  ])('are unknown for: %s', (command) => {
    expect(filesOf(command)).toBeUndefined()
  })

  it('include a file of the project that is named like a test runner', () => {
    expect(filesOf('python3 -m tox')).toHaveLength(4)
    writeFileSync(join(root, 'tox.py'), '')
    expect(filesOf('python3 -m tox')).toBeUndefined()
  })

  it('are pinned for a list of arguments too', () => {
    expect(filesOf('env', ['PATH=h', 'x.sh'])).toBeUndefined()
    expect(filesOf('python3', ['-m', 'tool'])).toBeUndefined()
  })

  it.each(['/opt/team/project', '/usr/src/app', '/dev/shm/p'])('are pinned for a project in %s', (folder) => {
    const run = { type: 'command', command: './x.sh --all', root: folder }
    expect(programFiles({ run })).toEqual([`${folder}/x.sh`])
    expect(programFiles({ run: { ...run, command: `/usr/bin/env ${folder}/x.sh` } })).toEqual([
      `${folder}/x.sh`,
    ])
  })

  it('are pinned for a path with ..', () => {
    expect(filesOf(`sh /usr/..${root}/lib.sh`)).toEqual([join(root, 'lib.sh')])
  })

  it('do not include a file in the home of the user', () => {
    const run = { type: 'command', command: 'sh ~/x.sh', root }
    expect(programFiles({ run }, '/home/me')).toEqual(['/home/me/x.sh'])
  })
})

describe('the files of a project that a hook of the user starts', () => {
  const own = '/home/me/.claude'
  const foreign = (command: string, at = root) =>
    foreignFiles({ run: { type: 'command', command, root: at } }, { project: root, own, home: '/home/me' })

  it.each([
    ['./h/x.sh', 'project', ['h/x.sh']],
    ['sh ./h/x.sh', 'project', ['h/x.sh']],
    ['python3 x.py', 'project', ['x.py']],
    ['python3 -m x', 'project', ['x.py']],
    ['cd h && ./x.sh', 'project', ['h/x.sh']],
    ['bash < lib.sh', 'project', ['lib.sh']],
    ['"$CLAUDE_PROJECT_DIR"/h/x.sh', 'own', ['h/x.sh']],
    ['cd "$CLAUDE_PROJECT_DIR"; sh h/x.sh', 'own', ['h/x.sh']],
    // Relative to the user's own file, the same words are files of the user.
    ['./h/x.sh', 'own', []],
    ['sh ./h/x.sh', 'own', []],
    // The exact file that the user wrote down.
    ['ROOT/h/x.sh', 'own', []],
    ['sh ROOT/h/x.sh; true', 'own', []],
    // Missing files start nothing, and arguments do not belong to the project.
    ['./missing.sh', 'project', []],
    ['~/.claude/check.sh lib.sh', 'project', []],
    ['python3 ~/.claude/check.py x.py', 'project', []],
    ['python3 -u ~/.claude/check.py x.py', 'project', []],
    ['$TOOL lib.sh', 'project', []],
  ])('are found for %s, relative to %s', (command, at, expected) => {
    expect(foreign(command.replace('ROOT', root), at === 'own' ? own : root)).toEqual(
      expected.map((name) => join(root, name)),
    )
  })
})

describe('a pin', () => {
  it('exists only for a regular file up to the size limit; nothing else is waited for or trusted', () => {
    const pipe = join(root, 'pipe')
    execFileSync('mkfifo', [pipe])
    const large = join(root, 'large')
    writeFileSync(large, '')
    truncateSync(large, 8 * 1024 * 1024 + 1)
    // It claims to be a regular file, but reading it waits forever.
    const link = join(root, 'link')
    symlinkSync('/proc/kmsg', link)
    for (const path of [pipe, large, link, '/dev/zero']) {
      expect(pinOf(path)).toBe(UNFIT)
      expect(arePinned([path], new Map([[path, UNFIT]]))).toBe(false)
      expect(arePinned([path], new Map([[path, MISSING]]))).toBe(false)
    }
    expect(pinOf(join(root, 'nowhere'))).toBe(MISSING)
    expect(pinOf(join(root, 'lib.sh'))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('of a link that leads only to itself is that of a missing file, and of a socket there is none', async () => {
    const loop = join(root, 'loop')
    symlinkSync(loop, loop)
    expect(pinOf(loop)).toBe(MISSING)
    const socket = join(root, 'socket')
    const server = createServer().listen(socket)
    await once(server, 'listening')
    expect(pinOf(socket)).toBe(UNFIT)
    await new Promise((done) => server.close(done))
  })
})
