import { describe, expect, it } from 'vitest'
import { spellCommand } from '../vocabulary/command.ts'
import { readCommands } from '../walk/read-commands.ts'

function commandsOf(text: string) {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) throw new Error(`${text}: ${analysis.why}`)
  return analysis.commands
}

describe('a file that the line writes and then runs', () => {
  it.each([
    "echo 'rm -rf /' > x.sh; sh x.sh",
    "echo 'rm -rf /' > x.sh && chmod +x x.sh && ./x.sh",
    "echo 'rm -rf /' > x.sh; . ./x.sh",
    "echo 'rm -rf /' > /tmp/x; cd /tmp; bash x",
    "printf 'rm -rf /\\n' | tee x | cat; source x",
    "printf 'rm ' > x; printf -- '-rf /' >> x; sh x",
    "{ echo '#!/bin/sh'; echo 'rm -rf /'; } > x; chmod +x x; ./x",
    "cat > x <<'E'\nrm -rf /\nE\nbash x",
    'D=/; cat > x <<E\nrm -rf $D\nE\nbash x',
    "echo 'rm -rf /' > a; cp a b; mv b c; ln -s c d; bash d",
    "echo 'rm -rf /' > a; install -m 755 a bin; bin/a",
    "T=$(mktemp); echo 'rm -rf /' > $T; bash $T",
    'echo "rm -rf /" > "$F"; bash "$F"',
    "(echo 'rm -rf /' > a); sh a",
    "if x; then echo 'rm -rf /' > a; else echo ls > a; fi; sh a",
    "f() { echo 'rm -rf /' > a; }; f; sh a",
    'bash -c "echo \'rm -rf /\' > a"; sh a',
    "echo 'rm -rf /' > a; cat a | sh",
    "echo 'rm -rf /' > a; sh < a",
    'echo \'rm -rf /\' > a; eval "$(cat a)"',
    'echo \'rm -rf /\' > a; eval "$(<a)"',
    'echo cm0gLXJmIC8= > a; base64 -d a | sh',
    'echo cm0gLXJmIC8= > a; base64 -d < a > b; sh b',
    "echo '#!/usr/bin/env bash\nrm -rf /' > a; ./a",
    "echo 'rm -rf /' | dd of=a; sh a",
    "echo 'rm -rf $1' > a; sh a /",
    'cp /bin/rm w; ./w -rf /',
    'ln -s "$(command -v rm)" w; ./w -rf /',
    "printf 'all:\\n\\trm -rf /\\n' > Makefile; make",
    "echo '@reboot rm -rf /' > t; crontab t",
    "echo 'rm -rf /' > t; at -f t now",
  ])('%s', (text) => {
    const runs = commandsOf(text).map(spellCommand)
    expect(runs.some((run) => /^(\S*\/)?rm -rf \/$/.test(run))).toBe(true)
  })

  it.each([
    'gen > x.sh; sh x.sh',
    'gen | tee x.sh; ./x.sh',
    'base64 -d < blob > x; . ./x',
    "echo 'ls' > x; sed -i s/ls/pwd/ x; sh x",
    'echo "$CODE" > x; cp x y; sh y',
  ])('%s is known only at run time', (text) => {
    const commands = commandsOf(text)
    expect(commands.some((command) => command.opaque !== undefined)).toBe(true)
  })

  it.each([
    "echo 'rm -rf /' > x.sh; sh y.sh",
    "echo 'rm -rf /' > notes.md; cat notes.md",
    "echo 'rm -rf /' > x.sh; echo ls > x.sh; sh x.sh",
    "echo 'rm -rf /' > /dev/null; sh /dev/null",
    "echo 'rm -rf /' >&2; sh x",
    'make > log 2>&1; cat log',
    'cc -o a a.c && ./a',
    'npm run build > build.log; node dist/index.js',
    'curl -o a https://example.com/a; cat a',
  ])('%s is nothing', (text) => {
    const commands = commandsOf(text)
    expect(commands.map(spellCommand)).not.toContain('rm -rf /')
    expect(commands.every((command) => command.opaque === undefined)).toBe(true)
  })
})
