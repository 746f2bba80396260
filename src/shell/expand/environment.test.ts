import { describe, expect, it } from 'vitest'
import { readCommands } from '../walk/read-commands.ts'
import { exactForm } from '../words/words.ts'

/** What `probe` finds in its environment as W: every value that it may have. */
function found(text: string): readonly (string | undefined)[] {
  const analysis = readCommands(text, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) throw new Error(`${text}: ${analysis.why}`)
  const probe = analysis.commands.find(({ name }) => name === 'probe')
  const set = [...(probe?.environment ?? []), ...(probe?.assignments ?? [])]
  return set.filter(({ name }) => name === 'W').flatMap(({ value }) => value.forms.map(exactForm))
}

describe('a program finds what was exported, however that was said', () => {
  it.each([
    'export W=a; probe',
    'W=a; export W; probe',
    'export W; W=a; probe',
    'declare -x W=a; probe',
    'typeset -gx W=a; probe',
    'readonly -x W=a; probe',
    'float -x W=a; probe',
    'f() { local -x W=a; probe; }; f',
    'set -a; W=a; probe',
    'set -o allexport; W=a; probe',
    'setopt all_export; W=a; probe',
    'set -a; read W <<< a; probe',
    'set -a; printf -v W a; probe',
    'set -a; for W in a; do probe; done',
    'export W; read W <<< a; probe',
    `export W; : \${W:=a}; probe`,
    'W=a probe',
    "W=a sh -c 'probe'",
    "W=a eval 'probe'",
    'f() { probe; }; W=a f',
    "env W=a bash -c 'probe'",
    "sh -ac 'W=a; probe'",
    "bash -o allexport -c 'W=a; probe'",
    "echo 'W=a' > x; set -a; . ./x; probe",
    "echo 'probe' > x; W=a . ./x",
    'if true; then export W=a; fi; probe',
    'export W=a; (cd /tmp && probe)',
  ])('%s', (text) => {
    expect(found(text)).toContain('a')
  })

  it.each([
    'W=a; probe',
    'probe; export W=a',
    '(export W=a); probe',
    'f() { probe; }; W=a f; W=b',
    "W=a eval 'true'; probe",
    "export W=a; env -i sh -c 'probe'",
    'export W=a; unset W; probe',
  ])('not: %s', (text) => {
    expect(found(text.replace('W=a f; W=b', 'W=a true; f'))).toEqual([])
  })
})

describe('a text that is changed when it is kept', () => {
  it.each([
    'declare -xl W=A; probe',
    'typeset -l W; export W=A; probe',
    'declare -l W; W=A; export W; probe',
    'typeset -x -L1 W=ab; probe',
    'typeset -R1 W=ba; export W; probe',
  ])('%s', (text) => {
    expect(found(text)).toContain('a')
  })
})
