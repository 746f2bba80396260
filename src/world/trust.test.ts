import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programFiles } from './trust.ts'

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

describe('what a hook would start is pinned', () => {
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
  ])('%s %s', (command, args, expected) => {
    expect(filesOf(command, args)).toEqual(expected.map((name) => join(root, name)))
  })

  it.each(['python3 "$SCRIPT"', '$TOOL --check', 'bash "$(find . -name x.sh)"', 'eval "$CODE"', 'a "'])(
    'nobody can say what %s starts',
    (command) => {
      expect(filesOf(command)).toBeUndefined()
    },
  )
})
