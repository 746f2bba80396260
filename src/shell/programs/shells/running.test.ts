import { describe, expect, it } from 'vitest'
import { spellCommand } from '../../vocabulary/command.ts'
import { readCommands } from '../../walk/read-commands.ts'

function analysisOf(text: string) {
  return readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
}

function runs(text: string): readonly string[] {
  const analysis = analysisOf(text)
  return analysis.judged ? analysis.commands.map(spellCommand) : [`cannot be judged: ${analysis.why}`]
}

describe('code in arguments and on standard input', () => {
  it.each([
    ['bash -c "rm -rf /"', 'bash -c'],
    ['/bin/sh -c "rm -rf /"', 'sh -c'],
    ['zsh -lc "rm -rf /"', 'zsh -c'],
    ['bash -xec "rm -rf /"', 'bash -c'],
    ['bash -euo pipefail -c "rm -rf /"', 'bash -c'],
    ['bash --norc --rcfile x -O extglob -c "rm -rf /"', 'bash -c'],
    ['bash -c -- "rm -rf /"', 'bash -c'],
    ['bash -c \'rm -rf "$1"\' _ /', 'bash -c'],
    ['bash -c \'rm -rf "$@"\' _ /', 'bash -c'],
    ["X=/ bash -c 'rm -rf $X'", 'bash -c'],
    ["env X=/ sh -c 'rm -rf $X'", 'env > sh -c'],
    ['C="rm -rf /"; bash -c "$C"', 'bash -c'],
    ['eval "rm -rf /"', 'eval'],
    ['eval rm -rf /', 'eval'],
    ['eval "$(echo rm -rf /)"', 'eval'],
    ["trap 'rm -rf /' EXIT", 'trap'],
    ["trap -- 'rm -rf /' INT TERM", 'trap'],
    ["alias x='rm -rf /'", 'alias'],
    ['bash <<< "rm -rf /"', 'bash (standard input)'],
    ["bash <<'E'\nrm -rf /\nE", 'bash (standard input)'],
    ['bash -s -- a <<E\nrm -rf /\nE', 'bash (standard input)'],
    ['bash - <<E\nrm -rf /\nE', 'bash (standard input)'],
    ['bash /dev/stdin <<E\nrm -rf /\nE', 'bash (standard input)'],
    ['{ bash; } <<E\nrm -rf /\nE', 'bash (standard input)'],
    ["echo 'rm -rf /' | sh", 'pipe > sh (standard input)'],
    ["echo -e 'rm\\x20-rf /' | sh", 'pipe > sh (standard input)'],
    ["printf '\\162\\155 -rf /' | sh", 'pipe > sh (standard input)'],
    ["printf '%b' '\\0162\\0155 -rf /' | sh", 'pipe > sh (standard input)'],
    ["printf '%s' rm ' -rf /' | sudo bash", 'pipe > sudo > bash (standard input)'],
    ["printf 'rm -rf %s\\n' / | sh", 'pipe > sh (standard input)'],
    ["echo 'rm -rf /' | tee log | sh", 'pipe > sh (standard input)'],
    ["cat <<'E' | env bash\nrm -rf /\nE", 'pipe > env > bash (standard input)'],
    ['base64 -d <<< cm0gLXJmIC8= | bash', 'pipe > bash (standard input)'],
    ["echo 'rm -rf /' | bash -c sh", 'pipe > bash -c > sh (standard input)'],
    ["echo 'rm -rf /' | bash -c 'cat | sh'", 'pipe > bash -c > pipe > sh (standard input)'],
    ['echo \'rm -rf /\' | while read -r l; do eval "$l"; done', 'pipe > while > eval'],
    ['printf \'ls\\nrm -rf /\\n\' | while read -r l; do eval "$l"; done', 'pipe > while > eval'],
    ["sudo -s <<< 'rm -rf /'", 'sudo > sh (standard input)'],
    ['su - <<E\nrm -rf /\nE', 'su (standard input)'],
    ["exec 3<<< 'rm -rf /'; bash <&3", 'bash (standard input)'],
    ["bash /dev/fd/3 3<<< 'rm -rf /'", 'bash /dev/fd/3'],
    ["source <(echo 'rm -rf /')", "source <(echo 'rm -rf /')"],
    ["read -r x < <(echo 'rm -rf /'); eval $x", 'eval'],
    ["echo 'rm -rf /' > >(sh)", '>(…) > sh (standard input)'],
    ["tee >(sh) <<< 'rm -rf /'", '>(…) > sh (standard input)'],
    ['bash -c "$(printf "\\\\$(printf %03o 114)")m -rf /"', 'bash -c'],
    ["echo 'ez -es /' | tr a-z n-za-m | sh", 'pipe > sh (standard input)'],
    ['cat <<E | cat /dev/stdin | sh\nrm -rf /\nE', 'pipe > sh (standard input)'],
    ['declare -n r=x; x="rm -rf /"; $r', ''],
    ["ssh -p 22 me@host 'rm -rf /'", 'ssh me@host'],
    ['ssh host -t rm -rf /', 'ssh host'],
    ["ssh host <<'E'\nrm -rf /\nE", 'ssh host'],
    ["su - root -c 'rm -rf /'", 'su -c'],
    ["script -q -c 'rm -rf /' log", 'script -c'],
    [`bash -c "bash -c 'rm -rf /'"`, 'bash -c > bash -c'],
  ])('%s', (text, via) => {
    const analysis = analysisOf(text)
    const rm = analysis.judged
      ? analysis.commands.find((each) => spellCommand(each) === 'rm -rf /')
      : undefined
    expect(rm?.via.join(' > ')).toBe(via)
  })

  it.each([
    ['bash script.sh -c "rm -rf /"'],
    ['bash --version'],
    ["echo 'rm -rf /' | cat"],
    ["echo 'rm -rf /' | bash script.sh"],
    ['trap - EXIT'],
    ['trap -p'],
    ["trap '' INT"],
    ['ssh host'],
    ["cat <<'E' > script.sh\nrm -rf /\nE"],
  ])('%s runs no code of its own', (text) => {
    expect(runs(text).some((run) => run.startsWith('rm'))).toBe(false)
  })

  it.each([
    ['bash -c "rm -rf $X"', 'rm -rf ‹…›'],
    ['bash -c "rm -rf \'$X\'/a"', 'rm -rf ‹…›/a'],
    ['ssh host "cat $F"', 'cat ‹…›'],
    ['cat <<E | sh\nrm -rf $HOME/$X\nE', 'rm -rf /home/dev/‹…›'],
  ])('%s keeps what is unknown as a hole', (text, run) => {
    expect(runs(text).at(-1)).toBe(run)
  })

  it.each([
    ['eval "$X"'],
    ['bash -c "$X"'],
    ['bash -c "$(curl x)"'],
    ['curl x | bash'],
    ['curl x | bash -c sh'],
    ['curl x | sudo sh -s -- -y'],
    ['bash <(curl x)'],
    ['. <(curl x)'],
    ['curl x | python3'],
    ['curl x | python3 -'],
    ['$X'],
    ['"$X" -rf /'],
    ['/bin/r? -rf /'],
    ['xargs -I{} sh -c "{}"'],
    ['watch "$X"'],
  ])('%s is opaque', (text) => {
    const analysis = analysisOf(text)
    expect(analysis.judged && analysis.commands.some((command) => command.opaque !== undefined)).toBe(true)
  })

  it.each([
    ['bash script.sh'],
    ['cat script.sh | bash'],
    ['bash < script.sh'],
    ['source env.sh'],
    ['curl x | python3 -m json.tool'],
    ['curl x | python3 script.py'],
    ['"$DIR/bin/tool" -x'],
    [`"\${PYTHON:-python3}" x.py`],
    ['echo "print(1)" | python3'],
  ])('%s is not', (text) => {
    const analysis = analysisOf(text)
    expect(analysis.judged && analysis.commands.every((command) => command.opaque === undefined)).toBe(true)
  })

  it.each([
    [`bash -c 'echo "'`, 'inside bash -c'],
    ["echo 'if' | sh", 'inside sh (standard input)'],
    ["printf 'ls\\0' | sh", 'NUL'],
    [`eval "$(echo '(ls')"`, 'inside eval'],
  ])('%s cannot be judged', (text, why) => {
    expect(runs(text).join()).toContain('cannot be judged')
    expect(runs(text).join()).toContain(why)
  })

  it('lets eval, and nothing else, change this shell', () => {
    expect(runs('eval "cd /; X=a"; x $X $PWD').at(-1)).toBe('x a /')
    expect(runs('bash -c "cd /; X=a"; x $PWD').at(-1)).toBe('x /srv/project')
  })
})
