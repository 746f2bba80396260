import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { liveFacts } from './live-facts.ts'
import { quietGit } from './quiet-git.ts'

let folder: string
let proof: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-git-'))
  proof = join(folder, 'ran')
  const program = join(folder, 'evil.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\n`)
  chmodSync(program, 0o755)
  git('init', '-q', '.')
  git('config', 'gpg.program', program)
  git('config', 'core.pager', program)
  git('config', 'core.fsmonitor', program)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ENV = { PATH: process.env.PATH, HOME: tmpdir() }

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: ENV, stdio: 'pipe' }).trim()
}

/** A commit with a signature. Git shows it only after it has run the program for signatures. */
function signedCommit(): string {
  const tree = git('hash-object', '-t', 'tree', '-w', '/dev/null')
  const who = 'A <a@example.org> 1 +0000'
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----'
  const file = join(folder, 'commit')
  writeFileSync(file, `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nfirst\n`)
  const commit = git('hash-object', '-t', 'commit', '-w', file)
  git('update-ref', 'HEAD', commit)
  return commit
}

function commits(env: Readonly<Record<string, string | undefined>> = ENV): Promise<readonly string[]> {
  return liveFacts({ cwd: folder, home: folder, project: folder, env }).recentCommits(3)
}

describe('git in an untrusted repository', () => {
  it('shows the commits without the program for signatures that the repository names', async () => {
    signedCommit()
    git('config', 'log.showSignature', 'true')
    expect(git('log', '--oneline')).toContain('first')
    expect(existsSync(proof), 'git alone runs it').toBe(true)
    rmSync(proof)
    expect(await commits()).toEqual([expect.stringContaining('first')])
    expect(existsSync(proof)).toBe(false)
  })

  it('fetches no missing object from the remote that the repository names', async () => {
    const commit = signedCommit()
    rmSync(join(folder, '.git', 'objects', commit.slice(0, 2), commit.slice(2)))
    git('config', 'core.repositoryFormatVersion', '1')
    git('config', 'extensions.partialClone', 'origin')
    git('config', 'remote.origin.promisor', 'true')
    git('config', 'remote.origin.url', folder)
    git('config', 'remote.origin.uploadpack', join(folder, 'evil.sh'))
    git('config', 'protocol.file.allow', 'always')
    expect(() => git('log', '--oneline')).toThrow()
    expect(existsSync(proof), 'git alone runs it').toBe(true)
    rmSync(proof)
    expect(await commits()).toEqual([])
    expect(existsSync(proof)).toBe(false)
  })

  it('takes neither settings nor programs from the environment of the caller', async () => {
    signedCommit()
    const program = join(folder, 'git')
    writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\n`)
    chmodSync(program, 0o755)
    const { env } = quietGit(folder, [], {
      PATH: `.::${process.env.PATH}`,
      GIT_DIR: '/x',
      GIT_CONFIG_COUNT: '1',
      LD_PRELOAD: '/x.so',
    })
    expect(Object.keys(env).filter((name) => /^(?:GIT_DIR|GIT_CONFIG|LD_)/.test(name))).toEqual([])
    expect(env.PATH).toBe(process.env.PATH)
  })
})
