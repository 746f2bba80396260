import { describe, expect, it } from 'vitest'
import { spellCommand } from '../vocabulary/command.ts'
import { readCommands } from './read-commands.ts'

/** Every command found, innermost last. */
function found(text: string): readonly { run: string; via: string; cwd: string | undefined }[] {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) return [{ run: `cannot be judged: ${analysis.why}`, via: '', cwd: undefined }]
  return analysis.commands.map((command) => ({
    run: spellCommand(command),
    via: command.via.join(' > '),
    cwd: command.cwd,
  }))
}

describe('unwrap', () => {
  it.each([
    ['sudo rm -rf /', 'sudo'],
    ['sudo -u root -g wheel -- rm -rf /', 'sudo'],
    ['sudo -nu root X=1 rm -rf /', 'sudo'],
    ['sudo --user=root --chdir /tmp rm -rf /', 'sudo'],
    ['sudo -E -H -b rm -rf /', 'sudo'],
    ['doas -u root rm -rf /', 'doas'],
    ['env rm -rf /', 'env'],
    ['env - X=1 rm -rf /', 'env'],
    ['env -i -u PATH -C /tmp X=1 Y="a b" rm -rf /', 'env'],
    ['env -S "rm -rf /"', 'env'],
    ['env -vS"rm -rf" /', 'env'],
    ['env --split-string="X=1 rm -rf /"', 'env'],
    ["env $(grep -v '#' .env.test | xargs) rm -rf /", 'env'],
    ['command rm -rf /', 'command'],
    ['command -p rm -rf /', 'command'],
    ['builtin command rm -rf /', 'builtin > command'],
    ['exec -a x rm -rf /', 'exec'],
    ['nohup rm -rf / &', '& > nohup'],
    ['nice -n 10 rm -rf /', 'nice'],
    ['nice -10 rm -rf /', 'nice'],
    ['nvm exec 20 rm -rf /', 'nvm exec'],
    ['volta run --node 20 rm -rf /', 'volta run'],
    ['tox exec -e py311 -- rm -rf /', 'tox exec'],
    ['ionice -c 3 rm -rf /', 'ionice'],
    ['timeout -k 5 -s KILL 10s rm -rf /', 'timeout'],
    ['timeout --signal=KILL 10s rm -rf /', 'timeout'],
    ['time rm -rf /', ''],
    ['time -p ! rm -rf /', ''],
    ['/usr/bin/time -f %e -o log rm -rf /', 'time'],
    ['stdbuf -oL -e 0 rm -rf /', 'stdbuf'],
    ['setsid -w rm -rf /', 'setsid'],
    ['watch -n 1 "rm -rf /"', 'watch'],
    ['watch -d rm -rf /', 'watch'],
    ['flock -n /tmp/lock rm -rf /', 'flock'],
    ['flock /tmp/lock -c "rm -rf /"', 'flock'],
    ['chroot --userspec=a:b /mnt rm -rf /', 'chroot'],
    ['busybox rm -rf /', 'busybox'],
    ['strace -f -o log rm -rf /', 'strace'],
    ['taskset -c 0 rm -rf /', 'taskset'],
    ['xargs rm -rf / < list', 'xargs'],
    ['echo / | xargs rm -rf', 'pipe > xargs'],
    ['echo / | xargs -n 1 -P 4 rm -rf', 'pipe > xargs'],
    ['echo / | xargs -I{} rm -rf {}', 'pipe > xargs'],
    ['echo / | xargs -i rm -rf {}', 'pipe > xargs'],
    ['echo / | xargs --replace=% rm -rf %', 'pipe > xargs'],
    ["echo / | xargs -I% sh -c 'rm -rf %'", 'pipe > xargs > sh -c'],
    ['xargs -a list rm -rf /', 'xargs'],
    ['find . -exec rm -rf / \\;', 'find -exec'],
    ['find . -type f -execdir rm -rf / +', 'find -execdir'],
    ['sudo -u root env X=1 nice -n 5 timeout 5 rm -rf /', 'sudo > env > nice > timeout'],
    ['sudo --new-option value rm -rf /', 'sudo'],
  ])('%s', (text, via) => {
    const rm = found(text).find(({ run }) => run === 'rm -rf /' || run.startsWith('rm -rf / '))
    expect(rm?.via).toBe(via)
  })

  it.each([
    ['command -v rm', ['command -v rm']],
    ['sudo -l rm', ['sudo -l rm']],
    ['sudo -e /etc/hosts', ['sudo -e /etc/hosts']],
    ['taskset -p 123', ['taskset -p 123']],
    ['env', ['env']],
    ['echo sudo rm', ['echo sudo rm']],
    ['find . -name rm', ['find . -name rm']],
  ])('%s runs nothing more', (text, runs) => {
    expect(found(text).map(({ run }) => run)).toEqual(runs)
  })

  it('gives a wrapper only its own words', () => {
    expect(found('sudo -u root cat .env').map(({ run }) => run)).toEqual(['sudo -u root', 'cat .env'])
  })

  it('follows the folder a wrapper names', () => {
    expect(found('env -C /etc rm x').at(-1)?.cwd).toBe('/etc')
    expect(found('sudo -D .. rm x').at(-1)?.cwd).toBe('/srv')
    expect(found('env -C "$X" rm x').at(-1)?.cwd).toBeUndefined()
  })

  it('lets only builtins move the shell', () => {
    expect(found('command cd /; ls').at(-1)?.cwd).toBe('/')
    expect(found('sudo cd /; ls').at(-1)?.cwd).toBe('/srv/project')
  })

  it.each([
    ['find ~ -exec rm {} +', 'rm /home/dev/‹{}›'],
    ["find a b -name '*.tmp' -exec rm {} \\;", 'rm {a/‹{}›/*.tmp|b/‹{}›/*.tmp}'],
    ['find -exec rm {} \\;', 'rm ./‹{}›'],
    ['find . -name a -o -name b -exec rm {} \\;', 'rm ./‹{}›/b'],
    ['find . -exec sh -c \'rm "$1"\' _ {} \\;', 'rm ./‹{}›'],
    ['ls | xargs rm', 'rm ‹standard input›'],
    ['find . -name x | xargs rm', 'rm ./‹{}›/x'],
    ["printf 'a\\nb\\n' | xargs rm", 'rm a b'],
  ])('%s gives %s', (text, run) => {
    expect(found(text).at(-1)?.run).toBe(run)
  })

  it('follows every command of a find with several', () => {
    const runs = found('find . -exec ls {} \\; -exec rm {} +').map(({ run }) => run.split(' ')[0])
    expect(runs).toEqual(['find', 'ls', 'rm'])
  })
})
