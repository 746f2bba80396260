import { describe, expect, it } from 'vitest'
import { effectsOf } from '../effects.ts'
import { spellEffect } from '../vocabulary/effect.ts'
import { readCommands } from '../walk/read-commands.ts'

const PLACE = { cwd: '/srv/project', home: '/home/dev' }

function writesOf(line: string): readonly string[] {
  const analysis = readCommands(line, PLACE)
  if (!analysis.judged) return [analysis.why]
  const effects = effectsOf(analysis.commands, PLACE.home).map(({ effect }) =>
    spellEffect(effect, PLACE.home),
  )
  return effects.filter((each) => each.startsWith('write'))
}

describe('a folder known only in part', () => {
  it.each([
    ['cd .cla* && echo > s', 'write /srv/project/.cla*/s'],
    ['cd a* && cd b? && echo > s', 'write /srv/project/a*/b?/s'],
    ['cd "$X/.claude" && echo > s', 'write ‹$X›/.claude/s'],
    ['cd "$X" && cd .claude && echo > s', 'write ‹$PWD›/.claude/s'],
    ['cd a* && cd - && cd - && echo > s', 'write /srv/project/a*/s'],
    ['pushd a*; pushd /tmp; popd; echo > s', 'write /srv/project/a*/s'],
    ['if x; then cd a; fi; echo > s', 'write /srv/project/a/s ?'],
    ['for d in a b; do cd $d; done; echo > s', 'write /srv/project/a/s ?'],
    ['env -C a* tee s < x', 'write /srv/project/a*/s'],
    ['CDPATH=/opt cd a && echo > s', 'write /opt/a/s ?'],
    ['cd a* && echo > "$PWD/s"', 'write /srv/project/a*/s'],
    ['cd "$(dirname "a*/x")" && cd b* && echo > s', 'write /srv/project/a*/b*/s'],
  ])('%s writes to %s', (line, expected) => {
    expect(writesOf(line)).toContain(expected)
  })

  it.each([
    ['cd a*/.. && echo > s', ['write /srv/project/s']],
    ['cd "$X" && echo > s', ['write s']],
    ['cd a* && echo > /tmp/s', ['write /tmp/s']],
    ['cd a && echo > s', ['write /srv/project/a/s']],
  ])('%s writes nowhere else', (line, expected) => {
    expect(writesOf(line)).toEqual(expected)
  })
})
