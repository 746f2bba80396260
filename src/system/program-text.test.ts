import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAEMON_FLAGS } from './daemon-node.ts'
import { locateNode } from './node-location.ts'
import { launcherText } from './program-text.ts'

/** The real /bin/sh runs the launcher. The programs that it starts are scripts that print their name. */
let folder: string
let home: string
beforeEach(() => {
  // A space and a letter beyond ASCII, as in many home folders.
  folder = mkdtempSync(join(tmpdir(), "holdpoint läuncher's "))
  home = join(folder, 'home')
  write(join(home, 'runtime', 'current', 'dist', 'hook.cjs'), '// the hook')
  write(join(home, 'runtime', 'current', 'dist', 'daemon.cjs'), '// the daemon')
  write(join(home, 'runtime', 'current', 'dist', 'holdpoint.cjs'), '// the command line')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

const versionFile = (version: string) => join(folder, '.nvm', 'versions', 'node', version, 'bin', 'node')

/** How Node ends after an answer whose exit code is 0. */
const ANSWERED = 113

/** A Node that prints its version on request, and otherwise its name, its arguments and its input. */
function addNode(version: string, { fits = true, exit = ANSWERED } = {}): string {
  const answer = `if [ "$1" = -e ]; then exit ${fits ? 0 : 1}; fi`
  const says = `first=\${1##*/}; shift; echo "${version} $first $* $(cat)"; exit ${exit}`
  write(versionFile(version), `#!/bin/sh\n${answer}\n${says}\n`, 0o755)
  return versionFile(version)
}

interface Launched {
  readonly node: string
  readonly system?: readonly string[]
  readonly program?: string
  /** A program of the system that the launcher does not find. */
  readonly without?: string
}

function launch(options: Launched, ...args: string[]) {
  const file = join(folder, 'launcher')
  const { node, system = [], program, without = '' } = options
  const named = program === undefined ? {} : { program }
  const text = launcherText({ home, location: locateNode(node), systemNodes: system, ...named })
  write(file, without === '' ? text : text.replaceAll(without, '/nothing/there'), 0o755)
  const { status, stdout, stderr } = spawnSync(file, args, { input: 'event', encoding: 'utf8', env: {} })
  return { status, stdout, stderr }
}

describe('the launcher', () => {
  it('starts the program named first, with the other arguments and standard input', () => {
    const node = addNode('v22.0.0')
    expect(launch({ node }, 'hook', 'claude-code', '--x')).toEqual({
      status: 0,
      stdout: 'v22.0.0 hook.cjs --answered 113 claude-code --x event\n',
      stderr: '',
    })
    expect(launch({ node, program: 'daemon' }, '--home', '/h').stdout).toBe(
      `v22.0.0 ${DAEMON_FLAGS.join(' ')} ${home}/runtime/current/dist/daemon.cjs --home /h event\n`,
    )
  })

  it('uses another version of the same manager if its own is missing', () => {
    addNode('v18.0.0', { fits: false })
    addNode('v22.0.0')
    expect(launch({ node: versionFile('v20.0.0') }, 'hook', 'a', 'b').stdout).toBe(
      'v22.0.0 hook.cjs --answered 113 a b event\n',
    )
  })

  it('prefers a Node of the system that only root can change', () => {
    addNode('v22.0.0')
    const system = process.geteuid?.() === 0 ? versionFile('system') : '/usr/bin/node'
    if (process.geteuid?.() === 0) addNode('system')
    const ran = launch({ node: versionFile('v20.0.0'), system: [system] }, 'hook', 'a', 'b')
    if (process.geteuid?.() === 0) expect(ran.stdout).toBe('system hook.cjs --answered 113 a b event\n')
    else expect(ran.status).toBe(0)
  })

  it('uses no Node of a system folder that others can write to', () => {
    const system = join(folder, 'open', 'bin', 'node')
    write(system, '#!/bin/sh\necho replaced\n', 0o755)
    chmodSync(dirname(system), 0o777)
    const ran = launch({ node: versionFile('v20.0.0'), system: [system] }, 'hook')
    expect(ran).toMatchObject({ status: 2, stdout: '' })
  })

  it.each([
    ['denies by default', [], 2],
    ['denies with --on-failure deny', ['--on-failure', 'deny'], 2],
    ['lets the call pass with --on-failure pass', ['--on-failure', 'pass'], 0],
  ])('without any Node it says what is missing and how to repair it, and %s', (_name, args, status) => {
    const ran = launch({ node: versionFile('v20.0.0') }, 'hook', 'claude-code', ...args)
    expect(ran).toMatchObject({ status, stdout: '' })
    expect(ran.stderr).toMatch(
      /^holdpoint: Node\.js is missing: .*v20\.0\.0.* is gone.*Run: npx holdpoint init\n$/,
    )
  })

  it('reports that the copy of the programs is missing, or empty after a power cut', () => {
    const node = addNode('v22.0.0')
    write(join(home, 'runtime', 'current', 'dist', 'hook.cjs'), '')
    for (const words of [['hook'], ['journal'], []]) {
      const ran = launch({ node }, ...words)
      expect(ran).toMatchObject({ status: 2, stdout: '' })
      expect(ran.stderr).toMatch(/programs in .* are missing\. Run: npx holdpoint init\n$/)
    }
  })

  it.each([0, 1, 100, 112, 114, 134, 139])(
    'blocks the call if a hook exits with %d, because that is not an answer',
    (exit) => {
      const ran = launch({ node: addNode('v22.0.0', { exit }) }, 'hook', 'claude-code')
      expect(ran.status).toBe(2)
      expect(ran.stderr).toContain(`exit code ${exit} before it answered`)
      expect(launch({ node: addNode('v22.0.0', { exit }) }, 'hook', 'x', '--on-failure', 'pass').status).toBe(
        0,
      )
    },
  )

  it.each([
    ['hook', []],
    ['holdpoint', ['hook']],
  ])(
    'an answer of the program %s is exit code 0 for an agent, and another ending is not',
    (program, words) => {
      const node = addNode('v22.0.0')
      expect(launch({ node, program }, ...words, 'claude-code', '--x')).toEqual({
        status: 0,
        stdout: 'v22.0.0 hook.cjs --answered 113 claude-code --x event\n',
        stderr: '',
      })
      write(node, '#!/bin/sh\nexec /bin/true\n', 0o755)
      expect(launch({ node, program }, ...words, 'claude-code')).toEqual({
        status: 2,
        stdout: '',
        stderr: `holdpoint: ${node} ended with exit code 0 before it answered. Run: npx holdpoint init\n`,
      })
    },
  )

  it('commands of people, and questions about `hook`, end as Node ends', () => {
    const node = addNode('v22.0.0', { exit: 5 })
    const ran = launch({ node, program: 'holdpoint' }, 'hook', '--help')
    expect(ran).toMatchObject({ status: 5, stdout: 'v22.0.0 holdpoint.cjs hook --help event\n' })
    expect(launch({ node, program: 'holdpoint' }, 'journal', 'hook').status).toBe(5)
    expect(launch({ node }, 'holdpoint', '--answered', '4').status).toBe(5)
  })

  it('gives the client that asks for it the code of an answer, also if what is missing lets the call pass', () => {
    const asked = ['hook', '--answered', '99', 'claude-code', '--on-failure', 'pass']
    const node = addNode('v22.0.0')
    expect(launch({ node }, ...asked)).toMatchObject({
      status: 99,
      stdout: 'v22.0.0 hook.cjs --answered 113 claude-code --on-failure pass event\n',
    })
    expect(launch({ node: '/gone/node' }, ...asked).stderr).toContain('Node.js is missing')
    expect(launch({ node: '/gone/node' }, ...asked).status).toBe(99)
    // What a Node printed that gave no answer must not be taken for one.
    expect(launch({ node: addNode('v22.0.0', { exit: 0 }) }, ...asked).status).toBe(0)
    expect(launch({ node: addNode('v22.0.0', { exit: 2 }) }, ...asked).status).toBe(2)
  })

  it.each([
    ['`timeout`', ''],
    ['Perl and no `timeout`, as a Mac', '/usr/bin/timeout'],
  ])('ends a hook that never answers just after its deadline, if the system has %s', (_name, without) => {
    write(versionFile('v22.0.0'), '#!/bin/sh\nexec sleep 600\n', 0o755)
    const options = { node: versionFile('v22.0.0'), program: 'hook', without }
    const ran = launch(options, 'claude-code', '--deadline-ms', '100')
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('There was no answer in time.')
    expect(launch(options, 'claude-code', '--deadline-ms=100', '--on-failure', 'pass')).toMatchObject({
      status: 0,
    })
  })

  it('hands over what Node says, and tries the next Node, where Perl keeps the deadline', () => {
    addNode('v23.0.0')
    const options = { node: addNode('v22.0.0'), program: 'hook', without: '/usr/bin/timeout' }
    const said = {
      status: 0,
      stdout: 'v22.0.0 hook.cjs --answered 113 claude-code --x $HOME event\n',
      stderr: '',
    }
    expect(launch(options, 'claude-code', '--x', '$HOME')).toEqual(said)
    write(versionFile('v22.0.0'), '\x7fELF broken', 0o755)
    expect(launch(options, 'claude-code')).toMatchObject({
      status: 0,
      stdout: 'v23.0.0 hook.cjs --answered 113 claude-code event\n',
    })
  })

  it('accepts exit code 2 of a hook as a denial', () => {
    expect(launch({ node: addNode('v22.0.0', { exit: 2 }) }, 'hook', 'a', 'b')).toMatchObject({
      status: 2,
      stderr: '',
    })
  })

  it('tries the next Node if the first is not a program', () => {
    addNode('v23.0.0')
    write(versionFile('v20.0.0'), '\x7fELF broken', 0o755)
    const ran = launch({ node: versionFile('v20.0.0') }, 'hook', 'a', 'b')
    expect(ran).toMatchObject({ status: 0, stdout: 'v23.0.0 hook.cjs --answered 113 a b event\n' })
  })

  it('does not find Node by PATH or in the working folder', () => {
    write(join(folder, 'path', 'node'), '#!/bin/sh\necho replaced\n', 0o755)
    symlinkSync(join(folder, 'path', 'node'), join(folder, 'node'))
    const file = join(folder, 'launcher')
    write(file, launcherText({ home, location: locateNode('/gone/node'), systemNodes: [] }), 0o755)
    const env = { PATH: join(folder, 'path'), NODE: join(folder, 'node') }
    const ran = spawnSync(file, ['hook'], { cwd: folder, env, encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 2, stdout: '' })
  })
})
