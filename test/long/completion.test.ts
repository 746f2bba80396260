import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { createSandbox, type Sandbox } from '../e2e/command.ts'
import { hasShell, inShell, pressTab, type ShellName, ZSH_INSTALLED } from '../e2e/shells.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  sandbox.write('policy.yaml', '')
  sandbox.write('with space/policy.yaml', '')
})
afterEach(() => sandbox.remove())

describe('holdpoint completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that says how to install it', async (shell) => {
    const { stdout, exitCode } = await sandbox.run(['completion', shell])
    expect(exitCode).toBe(0)
    const top = stdout.split('\n').slice(0, 8)
    expect(top.every((line) => line.startsWith('#'))).toBe(true)
    expect(top.join('\n')).toContain(`holdpoint completion ${shell}`)
  })

  it('refuses any other shell', async () => {
    const ran = await sandbox.run(['completion', 'tcsh'])
    expect(ran).toMatchObject({
      exitCode: 64,
      stdout: '',
      stderr: expect.stringContaining('bash, zsh, fish'),
    })
  })
})

describe('holdpoint complete', () => {
  it('prints one candidate for each line, with a description after a tab', async () => {
    expect((await sandbox.run(['complete', '--', 'docs', 'rul'])).stdout).toBe('rules\tRules in YAML\n')
    expect((await sandbox.run(['complete', '--', 'log', '--effect', 'de'])).stdout).toBe('deny\n')
    expect((await sandbox.run(['complete', '--', 'lint', ''])).stdout).toBe(':files\n')
    expect((await sandbox.run(['complete', '--', 'xyzzy', ''])).exitCode).toBe(0)
  })

  it('is not in the help, and is not completed', async () => {
    expect((await sandbox.run(['help'])).stdout).not.toMatch(/^ {2}complete /m)
    expect((await sandbox.run(['complete', '--', 'comp'])).stdout).toMatch(/^completion\t.*\n$/)
  })
})

/** The text before Tab, and the line after it. A trailing space means that the word is complete. */
const LINES: readonly (readonly [string, string, string])[] = [
  ['a command', 'holdpoint unin', 'holdpoint uninstall '],
  ['a sub-command', 'holdpoint daemon sto', 'holdpoint daemon stop '],
  ['a sub-command of a sub-command', 'holdpoint mux agents reg', 'holdpoint mux agents register '],
  ['an option', 'holdpoint log --verif', 'holdpoint log --verify '],
  ['a choice of an option', 'holdpoint log --effect den', 'holdpoint log --effect deny '],
  ['a choice of an argument', 'holdpoint completion fi', 'holdpoint completion fish '],
  ['a choice after =', 'holdpoint log --effect=den', 'holdpoint log --effect=deny '],
  ['a host', 'holdpoint hook scr', 'holdpoint hook scratchpad '],
  ['a pack', 'holdpoint init --host codex --pack prod', 'holdpoint init --host codex --pack production '],
  ['a page', 'holdpoint docs getting', 'holdpoint docs getting-started '],
  ['a guard', 'holdpoint docs safety/git/force', 'holdpoint docs safety/git/force-push '],
  [
    'a guard in the journal',
    'holdpoint log --hook safety/git/force',
    'holdpoint log --hook safety/git/force-push ',
  ],
  ['a file', 'holdpoint lint pol', 'holdpoint lint policy.yaml '],
  ['a file of an option', 'holdpoint test --config pol', 'holdpoint test --config policy.yaml '],
  ['a file after =', 'holdpoint test --config=pol', 'holdpoint test --config=policy.yaml '],
  ['a folder, and no file', 'holdpoint test --cwd wit', 'holdpoint test --cwd with\\ space/'],
]

for (const shell of ['bash', 'zsh', 'fish'] satisfies ShellName[]) {
  const isHere = hasShell(shell)
  describe.skipIf(!isHere)(`in ${shell}${isHere ? '' : ' (skipped: not installed)'}`, () => {
    it.each(LINES)('Tab completes %s: %s', async (_name, typed, line) => {
      expect((await pressTab(sandbox, shell, typed)).line).toBe(line)
    })

    it('Tab shows the candidates if there are several', async () => {
      const { line, screen } = await pressTab(sandbox, shell, 'holdpoint mux s')
      expect(line).toBe('holdpoint mux s')
      expect(screen).toMatch(/\bsession\b/)
      expect(screen).toMatch(/\bsignal\b/)
      if (shell !== 'bash') expect(screen).toContain('Start an orchestration')
    })

    it('Tab offers nothing where any text is allowed', async () => {
      expect((await pressTab(sandbox, shell, 'holdpoint log --session pol')).line).toBe(
        'holdpoint log --session pol',
      )
    })
  })
}

it.skipIf(!hasShell('zsh'))('zsh loads the script automatically from its functions folder', async () => {
  const { line } = await pressTab(sandbox, 'zsh', 'holdpoint unin', ZSH_INSTALLED)
  expect(line).toBe('holdpoint uninstall ')
})

describe('the bash completion', () => {
  const driven = async (words: readonly string[], current: string) => {
    const list = words.map((word) => `'${word}'`).join(' ')
    const script = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}
_holdpoint holdpoint '${current}' ''; printf '%s\\n' "\${COMPREPLY[@]}"`
    return (await inShell(sandbox, 'bash', script)).split('\n').filter((line) => line !== '')
  }

  it('splits words at = as bash does', async () => {
    expect(await driven(['holdpoint', 'init', '--host', '=', 'cop'], 'cop')).toEqual(['copilot'])
    expect(await driven(['holdpoint', 'init', '--host', '='], '')).toEqual(Object.keys(INSTALLERS))
  })

  it('uses only the text before the cursor', async () => {
    expect(await driven(['holdpoint', 'daemon', 'stop'], 'sta')).toEqual(['status', 'start'])
  })

  it('also completes paths if compopt is missing, as in bash 3.2', async () => {
    expect(await driven(['holdpoint', 'lint', 'pol'], 'pol')).toEqual(['policy.yaml'])
    expect(await driven(['holdpoint', 'test', '--cwd', 'w'], 'w')).toEqual(['with space'])
  })
})
