import { describe, expect, it } from 'vitest'
import { type ActEffect, spellEffect } from '../vocabulary/effect.ts'
import { readCommands } from '../walk/read-commands.ts'
import { type VerbProgram, verbEffects } from './verbs.ts'

const DROP: ActEffect = { kind: 'data-destroy', act: 'test/drop', what: 'drops it' }
const TOUCH: ActEffect = { kind: 'system-change', act: 'test/touch', what: 'touches it' }

const NESTED: VerbProgram = {
  options: 'f|file= h|help',
  verbOptions: { '*': 'f|force h|help' },
  rules: [['down', DROP, { given: 'force' }]],
}
const PROGRAM: VerbProgram = {
  options: 'c|context= n|dry-run=? a|all m|mode= h|help',
  verbOptions: { run: 'v|volume= all' },
  wrapping: 'run',
  nested: { group: NESTED },
  dryRun: 'dry-run',
  harmless: 'show',
  rules: [
    ['volume rm|remove', DROP],
    ['wipe', DROP, { given: 'all' }],
    ['set', DROP, { value: [/^hard$/, 'mode'] }],
    ['run', DROP, { given: 'all' }],
    ['wipe|set', TOUCH],
  ],
}

function effects(line: string): readonly string[] {
  const analysis = readCommands(line, { cwd: '/srv/project', home: '/home/dev' })
  const command = analysis.judged ? analysis.commands.find(({ name }) => name === 'tool') : undefined
  return command === undefined
    ? []
    : verbEffects(command, PROGRAM).map((each) => spellEffect(each, '/home/dev'))
}

const DROPS = ['data-destroy test/drop']
const TOUCHES = ['system-change test/touch']
const MAY_DROP = ['data-destroy test/drop ?']

describe('a program that is told by verbs', () => {
  it.each([
    ['tool volume rm x', DROPS],
    ['tool -c prod --all volume remove x', DROPS],
    ['tool --context=prod volume rm', DROPS],
    ['tool volume ls rm', []],
    ['tool show volume rm', []],
    ['tool --unlisted volume rm', DROPS],
    ['tool --unlisted value volume rm', DROPS],
    ['tool volume rm --help', []],
    ['tool -n volume rm', []],
    ['tool --dry-run=client volume rm', []],
    ['tool --dry-run=none volume rm', DROPS],
    ['tool --dry-run --no-dry-run volume rm', DROPS],
    ['tool wipe', TOUCHES],
    ['tool wipe --all', DROPS],
    ['tool wipe --all=false', TOUCHES],
    ['tool wipe $FLAGS', [...MAY_DROP, ...TOUCHES]],
    ['tool wipe "$NAME"', TOUCHES],
    ['tool wipe $(list)', TOUCHES],
    ['tool set -m hard', DROPS],
    ['tool set -mhard', DROPS],
    ['tool set -m=hard', DROPS],
    ['tool set --mode soft', TOUCHES],
    ['tool $VERB x', MAY_DROP],
    ['tool "$VERB" rm', MAY_DROP],
    ['tool volume $VERB', MAY_DROP],
    ['tool $FLAGS show x', []],
    ['tool $FLAGS volume rm', DROPS],
    ['tool run --all image', DROPS],
    ['tool run image --all', []],
    ['tool run -v a:b --all image', DROPS],
    ['tool group -f file down', []],
    ['tool group -f file down -f', DROPS],
    ['tool constructor', []],
    ['tool', []],
  ])('%s', (line, expected) => {
    expect(effects(line)).toEqual(expected)
  })
})
