import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { installedPackage } from '../installed.ts'
import { daemonsOf, endDaemonsOf } from '../processes.ts'

/**
 * The installed package on a system that looks like a Mac: Node says that it runs on darwin, there is no /proc and no
 * `timeout`, `ps` prints as Apple's does, an address of a socket has 104 bytes, paths of temporary files are as long as
 * there, and the shell is zsh. The client is the one for a Mac, with what only that has, as a program for Linux.
 * docs/guide/macos.md lists what this cannot show.
 */

const ROOT = join(import.meta.dirname, '..', '..')
const ENTER = join(ROOT, 'test', 'long', 'stubs', 'mac-enter.sh')

let packages: string
beforeAll(() => {
  if (!isLinux) return
  packages = join(mkdtempSync(join(tmpdir(), 'holdpoint-mac-package-')), 'node_modules')
  cpSync(dirname(installedPackage()), packages, { recursive: true, verbatimSymlinks: true })
  // The database for this machine, under the name of the one for a Mac.
  const databases = join(packages, '@libsql')
  cpSync(join(databases, `linux-${process.arch}-gnu`), join(databases, `darwin-${process.arch}`), {
    recursive: true,
  })
  const client = join(packages, 'holdpoint', 'dist', 'native', `holdpoint-hook-darwin-${process.arch}`)
  const script = join(ROOT, 'scripts', 'build-native.mjs')
  execFileSync(process.execPath, [script, client, 'release', 'WITHOUT_PDEATHSIG', 'WITHOUT_MEMFD'])
})
afterAll(() => {
  if (isLinux) rmSync(dirname(packages), { recursive: true, force: true, maxRetries: 5 })
})

let folder: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-mac-'))
  home = join(folder, 'user')
  for (const each of ['user', 'bin', 'project', 'mac', TEMPORARY])
    mkdirSync(join(folder, each), { recursive: true })
  writeProgram('claude', "print '2.1.325 (Claude Code)'")
  writeFileSync(join(folder, 'permit.json'), '{ "version": 1, "commands": ["init", "uninstall"] }')
})
afterEach(async () => {
  await endDaemonsOf(join(home, '.config', 'holdpoint'))
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** As long as on a Mac, where a folder in it makes a path that no socket can have. */
const TEMPORARY = 'private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T'

function writeProgram(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/zsh\n${text}\n`, { mode: 0o755 })
}

const program = () => join(packages, 'holdpoint', 'dist', 'holdpoint.cjs')

/** What a script of zsh prints there. `holdpoint` is the command of the package. */
function onMac(script: string): Promise<string> {
  const prelude = `cd ${folder}/project
holdpoint() { command node ${program()} "$@" }
# One that has ended is listed until its parent has noticed.
state() { [[ $(ps -o stat= -p $1) == [^Z]* ]] && echo "$1 still runs" || echo ended }
at_terminal() { python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@" }
home=$HOME/.config/holdpoint
`
  const words = ['--map-root-user', '--mount', ENTER, join(folder, 'mac'), '/bin/zsh', '-c', prelude + script]
  const env = {
    HOME: home,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    SHELL: '/bin/zsh',
    TMPDIR: join(folder, TEMPORARY),
  }
  return new Promise((resolve, reject) => {
    const child = spawn('unshare', words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part))
    child.on('error', reject)
    child.on('close', () => resolve(text.replaceAll('\r\n', '\n')))
  })
}

const PERMIT = '--unattended $HOME/../permit.json'
const INIT = `holdpoint init --host claude-code --yes ${PERMIT}`
const EVENT = (command: string) =>
  JSON.stringify({
    ...{ session_id: 's', transcript_path: '/t', cwd: '/', hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_use_id: 't', tool_input: { command } },
  })

describe.runIf(isLinux)(onLinux('a system that looks like a Mac', 'it is made of namespaces'), () => {
  it('has no /proc and no timeout, and says darwin', async () => {
    const said = await onMac(`ls /proc | wc -l
node -p 'process.platform + " " + require("node:os").platform() + " " + process.execPath.endsWith("/node")'
[[ -x /usr/bin/timeout ]] || echo no timeout
sh -c 'ps -o pid= -o comm= -p $$'`)
    expect(said).toMatch(/^ *0\ndarwin darwin true\nno timeout\n *\d+ sh\n$/)
  })

  it('plays the demo with a daemon, although its sockets have long paths', async () => {
    const said = await onMac('holdpoint demo; echo "exit code $?"')
    expect(said).toContain('exit code 0')
    expect(said).toMatch(/deny {3}\d {2}safety\/git\/force-push/)
    expect(said).toMatch(/call +[\d.]+ ms +median/)
    expect(said).not.toMatch(/not running|no native client|does not start/)
    // The home of the demo really is too long.
    expect(
      Buffer.byteLength(join(folder, TEMPORARY, 'holdpoint-demo-XXXXXX/home/run/hook.sock')),
    ).toBeGreaterThan(103)
  })

  it('installs, denies by the client and its daemon, and uninstalls', async () => {
    writeFileSync(join(folder, 'event.json'), EVENT('git push --force origin main'))
    const said = await onMac(`${INIT} >init.txt 2>&1; echo "init $?"
$home/bin/holdpoint-hook claude-code --home $home <$HOME/../event.json; echo "hook $?"
holdpoint daemon start >/dev/null; $home/bin/holdpoint-hook claude-code --home $home <$HOME/../event.json; echo "hook $?"
holdpoint daemon status
holdpoint doctor; echo "doctor $?"
holdpoint uninstall --yes ${PERMIT} >/dev/null; echo "uninstall $?"
[[ -e $home/bin/holdpoint-hook ]] || echo gone`)
    expect(said).toContain('init 0\n')
    expect(said.match(/"permissionDecision":"deny"/g)).toHaveLength(2)
    expect(said.match(/^hook 0$/gm)).toHaveLength(2)
    expect(said).toMatch(/answered +[1-9]\d* events/)
    expect(said).toContain('doctor 0\n')
    expect(said).toMatch(/uninstall 0\ngone\n$/)
  })

  it('stops a daemon, waits for its end, and stops a frozen one', async () => {
    const said = await onMac(`${INIT} >/dev/null 2>&1; holdpoint daemon start >/dev/null
pid=\${$(<$home/run/daemon.pid)%% *}
holdpoint daemon stop; state $pid
holdpoint daemon start >/dev/null
pid=\${$(<$home/run/daemon.pid)%% *}
kill -STOP $pid; holdpoint daemon status; holdpoint daemon stop
state $pid
holdpoint daemon status`)
    expect(said).toMatch(
      /^The daemon was stopped\.\nended\n.*\(process \d+ exists but does not answer\).*\nThe daemon was stopped\.\nended\nThe daemon is not running/s,
    )
    expect(daemonsOf(join(home, '.config', 'holdpoint'))).toEqual([])
  })

  it.each([
    ['claude', '.local/share/claude/versions/2.1.20'],
    ['codex', 'lib/codex-aarch64-apple-darwin'],
    ['claude', 'Library/Application Support/x/bin/claude'],
  ])('refuses a pause under %s in %s', async (agent, path) => {
    const said = await onMac(`agent="$HOME/${path}"; mkdir -p "\${agent:h}"; cp /bin/zsh "$agent"
at_terminal "$agent" -c 'node ${program()} pause 10m; echo "exit code $?"' </dev/null`)
    expect(said).toContain(`\`holdpoint pause\` is only for people, but ${agent} started this process.`)
    expect(said).toMatch(/exit code [1-9]/)
  })

  it('ends a hook whose client was killed', async () => {
    const said = await onMac(`${INIT} >/dev/null 2>&1; holdpoint daemon stop >/dev/null
print '#!/bin/sh\\n[ "$1" = daemon ] && exit\\necho $$ >"$HOME/started"\\nexec sleep 600' >$home/bin/holdpoint-node
$home/bin/holdpoint-hook claude-code --home $home <$HOME/../permit.json &
until [[ -s $HOME/started ]] do sleep 0.05; done
kill -KILL $!; wait $! 2>/dev/null
for try in {1..200}; do kill -0 $(<$HOME/started) 2>/dev/null || { echo ended; break }; sleep 0.05; done`)
    expect(said).toContain('ended')
  })

  it('keeps the deadline of a hook without a client', async () => {
    const clients = join(packages, 'holdpoint', 'dist', 'native')
    renameSync(clients, `${clients}.away`)
    onTestFinished(() => renameSync(`${clients}.away`, clients))
    const said = await onMac(`${INIT} >/dev/null 2>&1; holdpoint daemon stop >/dev/null
head -c 2 $home/bin/holdpoint-hook; echo
rm $home/runtime/current/dist/hook.cjs; echo 'for (;;);' >$home/runtime/current/dist/hook.cjs
$home/bin/holdpoint-hook claude-code --home $home --deadline-ms 500 <$HOME/../permit.json; echo "hook $?"`)
    expect(said).toMatch(/^#!\n[\s\S]*There was no answer in time\.[\s\S]*hook 2\n$/)
  })
})
