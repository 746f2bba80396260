import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isLinux } from '../library/testing/linux-only.ts'
import type { Ancestor } from './ancestry.ts'
import { starterOf } from './starter.ts'

const one = (words: string, more: Partial<Ancestor> = {}): Ancestor => ({
  ...{ pid: 7, environment: [], words: words.split(' '), programs: [words.split(' ')[0] ?? ''] },
  ...more,
})
const rooted = (rootsProgram: string, words = rootsProgram, more: Partial<Ancestor> = {}) =>
  one(words, { rootsProgram, ...more })
/** As the kernel numbers /dev/pts/2 and /dev/pts/3. */
const [PTS_2, PTS_3] = [(136 << 8) | 2, (136 << 8) | 3]
const own = one('node holdpoint')
const init = rooted('systemd')

describe('starterOf', () => {
  it.each<[string, readonly Ancestor[]]>([
    ['xterm', [one('bash'), rooted('/usr/bin/xterm')]],
    [
      'gnome-terminal-server',
      [one('bash'), rooted('/usr/libexec/gnome-terminal-server'), one('systemd --user')],
    ],
    ['konsole', [one('zsh -i'), rooted('/usr/bin/konsole')]],
    ['xterm', [one('sudo -i'), one('/usr/bin/fish'), rooted('/usr/bin/xterm')]],
    ['xterm', [one('npm run x'), one('bash -c x'), one('-bash'), rooted('/usr/bin/xterm')]],
    ['xterm', [one('script -qec x'), one('bash'), rooted('/usr/bin/xterm')]],
    // Anybody can start it on a Mac.
    ...(isLinux ? [['login', [one('-bash'), rooted('login')]] satisfies [string, readonly Ancestor[]]] : []),
    [
      'Terminal',
      [
        one('-zsh'),
        rooted('/usr/bin/login'),
        rooted('/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal'),
      ],
    ],
  ])('a person, in a shell of %s', (terminal, above) => {
    const isMac = terminal === 'Terminal'
    if (isMac && process.platform !== 'darwin') return
    expect(starterOf([own, ...above, init])).toEqual({ kind: 'person', terminal })
  })

  it.each<[string, string, readonly Ancestor[]]>([
    [
      'a terminal that was told what to run',
      'xterm was told what to run',
      [rooted('/usr/bin/xterm', 'xterm -e holdpoint')],
    ],
    [
      'a shell that was told what to run',
      'xterm was told',
      [one('bash -c holdpoint'), rooted('/usr/bin/xterm')],
    ],
    [
      'a shell with another start file',
      'xterm was told',
      [one('bash --rcfile /tmp/x'), rooted('/usr/bin/xterm')],
    ],
    ['a copy of a program with that name', 'nothing shows', [one('bash'), one('xterm')]],
    ['tmux', 'tmux made it', [one('bash'), one('tmux new -d', { rootsProgram: '/usr/bin/tmux' })]],
    ['screen', 'screen made it', [one('bash'), one('SCREEN', { programs: ['screen'] })]],
    ['script', 'script made it', [one('sh -c holdpoint'), one('script -qec holdpoint')]],
    ['expect', 'expect made it', [one('expect -f x')]],
    ['unbuffer', 'unbuffer made it', [one('unbuffer holdpoint')]],
    ['cron', 'cron made it', [one('sh -c holdpoint'), rooted('cron')]],
    ['at', 'atd made it', [one('sh'), rooted('atd')]],
    ['a service', 'nothing shows', [one('bash'), one('systemd --user')]],
    [
      'the terminal of an editor',
      'code made it',
      [one('bash'), one('code', { rootsProgram: '/usr/share/code/code' })],
    ],
    ['a container', 'nothing shows', [one('bash'), one('sh')]],
    ['a program that left its parent', 'nothing shows', []],
  ])('nobody knows, in %s', (_name, why, above) => {
    expect(starterOf([own, ...above, init])).toEqual({ kind: 'unknown', why: expect.stringContaining(why) })
  })

  it.each<[string, string, readonly Ancestor[]]>([
    [
      'a program of a user with the rights of the file of login',
      'nothing shows',
      [one('bash'), rooted('/usr/bin/login', 'login', { isRoot: false })],
    ],
    [
      'a terminal that the program never made',
      'another program than xterm',
      [one('bash', { terminal: PTS_3 }), rooted('/usr/bin/xterm', 'xterm', { made: [2] })],
    ],
    [
      'a terminal that was made in the shell of a person',
      'another program than xterm',
      [
        one('bash', { terminal: PTS_3 }),
        one('script', { terminal: PTS_2 }),
        one('bash', { terminal: PTS_2 }),
        rooted('/usr/bin/xterm', 'xterm', { made: [2] }),
      ],
    ],
    [
      'no terminal',
      'another program than xterm',
      [one('bash', { terminal: 0 }), rooted('/usr/bin/xterm', 'xterm', { made: [2] })],
    ],
  ])('nobody knows, at %s', (_name, why, above) => {
    const at = { ...own, terminal: above[0]?.terminal ?? PTS_3 }
    expect(starterOf([at, ...above, init])).toEqual({ kind: 'unknown', why: expect.stringContaining(why) })
  })

  it('nobody knows, in a window that loads code of somebody else', () => {
    const window = rooted('/usr/bin/xterm', 'xterm', { environment: ['LD_PRELOAD=/tmp/x.so'] })
    expect(starterOf([own, one('bash'), window, init])).toMatchObject({ kind: 'unknown' })
  })

  it('a person, at the terminal that the window made', () => {
    const above = [one('bash', { terminal: PTS_3 }), rooted('/usr/bin/xterm', 'xterm', { made: [2, 3] })]
    expect(starterOf([{ ...own, terminal: PTS_3 }, ...above, init])).toMatchObject({ kind: 'person' })
  })

  it('nobody knows, if what is typed comes from another terminal', () => {
    const above = [one('bash', { terminal: PTS_3 }), rooted('/usr/bin/xterm', 'xterm', { made: [2, 3] })]
    const at = (ends: readonly number[]) =>
      starterOf([{ ...own, terminal: PTS_3, ends }, ...above, init]).kind
    expect([at([PTS_3, PTS_3]), at([PTS_2, PTS_3]), at([0, 0])]).toEqual(['person', 'unknown', 'unknown'])
  })

  it('an agent, whichever terminal is above it', () => {
    const above = [own, one('bash -c x'), one('claude'), one('bash'), rooted('/usr/bin/xterm')]
    expect(starterOf(above)).toEqual({ kind: 'agent', name: 'claude' })
    const marked = [own, one('bash', { environment: ['CLAUDECODE=1'] }), rooted('/usr/bin/xterm')]
    expect(starterOf(marked)).toMatchObject({ kind: 'agent' })
    expect(starterOf(undefined)).toMatchObject({ kind: 'agent' })
  })

  describe('over ssh', () => {
    const above = (words: string) => [own, one(words), one('sshd: dev@pts/3'), rooted('sshd'), rooted('sshd')]
    const here = Object.values(networkInterfaces()).flatMap((each) => each ?? [])[0]?.address ?? '127.0.0.1'

    it('from another machine, a person', () => {
      expect(starterOf(above('-bash'), () => '203.0.113.9')).toEqual({
        ...{ kind: 'person', terminal: 'ssh from 203.0.113.9' },
      })
    })

    it.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], [here], ['localhost'], [undefined]])(
      'from %s, nobody knows',
      (host) => {
        expect(starterOf(above('-bash'), () => host).kind).toBe('unknown')
      },
    )

    it('with a command to run, nobody knows', () => {
      expect(starterOf(above('bash -c holdpoint'), () => '203.0.113.9').kind).toBe('unknown')
    })
  })
})
